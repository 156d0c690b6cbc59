/*
PROG: checker
LANG: C++
*/
#include <cstdlib>
#include <fstream>
using namespace std;

int n, sum, a[14];

int main() {
    ifstream fin("checker.in");
    ofstream fout("checker.out");
    if (!fin) return 1;
    fin >> n;
    int k = 1;
    while (k > 0) {
        a[k]++;
        if (a[k] > n) {
            a[k--] = 0;
            continue;
        }
        bool ok = true;
        for (int i = 1; i < k; i++)
            if (a[i] == a[k] || abs(a[i] - a[k]) == k - i) ok = false;
        if (!ok) continue;
        if (k < n) {
            k++;
            continue;
        }
        if (++sum <= 3)
            for (int i = 1; i <= n; i++) fout << a[i] << (i < n ? ' ' : '\n');
    }
    fout << sum << endl;
    return 0;
}

#include <iostream>
using namespace std;

int n, sum, a[14];
bool c[14], d1[28], d2[28];

void dfs(int i) {
    if (i > n) {
        sum++;
        if (sum <= 3) {
            for (int k = 1; k <= n; k++) cout << a[k] << " ";
            cout << endl;
        }
        return;
    }
    for (int j = 1; j <= n; j++)
        if (!c[j] && !d1[i + j] && !d2[i - j + n]) {
            a[i] = j;
            c[j] = d1[i + j] = d2[i - j + n] = true;
            dfs(i + 1);
            c[j] = d1[i + j] = d2[i - j + n] = false;
        }
}

int main() {
    cin >> n;
    dfs(1);
    cout << sum << endl;
    return 0;
}

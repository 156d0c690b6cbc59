#include <cstdlib>
#include <iostream>
using namespace std;

int upper;

long long dfs(int row, int ld, int rd) {
    if (row == upper) return 1;
    long long sum = 0;
    int pos = upper & ~(row | ld | rd);
    while (pos) {
        int p = pos & -pos;
        pos -= p;
        sum += dfs(row | p, (ld | p) << 1, (rd | p) >> 1);
    }
    return sum;
}

int main(int argc, char *argv[]) {
    int n = atoi(argv[1]);
    upper = (1 << n) - 1;
    long long sum = 0;
    for (int i = 0; i < n / 2; i++) sum += 2 * dfs(1 << i, 2 << i, (1 << i) >> 1);
    if (n & 1) sum += dfs(1 << (n / 2), 2 << (n / 2), (1 << (n / 2)) >> 1);
    cout << "There are " << sum << " solutions in all" << endl;
    return 0;
}

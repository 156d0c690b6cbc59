#include <cstdlib>
#include <iostream>
using namespace std;

int n, sum;

void dfs(int row, int c, int l, int r) {
    if (row == n) { sum++; return; }
    for (int i = 0; i < n; i++)
        if (!((c | l | r) >> i & 1))
            dfs(row + 1, c | 1 << i, (l | 1 << i) << 1, (r | 1 << i) >> 1);
}

int main(int argc, char *argv[]) {
    n = atoi(argv[1]);
    if (n > 12) {
        cout << "n 太大了" << endl;
        return 0;
    }
    dfs(0, 0, 0, 0);
    cout << "共有" << sum << "个解" << endl;
    return 0;
}

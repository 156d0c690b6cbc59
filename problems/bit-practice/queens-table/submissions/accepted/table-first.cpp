#include <bits/stdc++.h>
using namespace std;

int n, ans[13];
bool col[30], up[30], down[30];

void dfs(int row) {
    if (row == n) { ans[n]++; return; }
    for (int c = 0; c < n; c++) {
        if (col[c] || up[row + c] || down[row - c + n]) continue;
        col[c] = up[row + c] = down[row - c + n] = true;
        dfs(row + 1);
        col[c] = up[row + c] = down[row - c + n] = false;
    }
}

int main() {
    for (n = 1; n <= 12; n++) dfs(0);
    int x;
    while (cin >> x && x) cout << ans[x] << '\n';
    return 0;
}

#include <bits/stdc++.h>
using namespace std;

int n, cnt, a[15];
bool col[15], l[30], r[30];

void dfs(int k) {
    if (k > n) {
        if (++cnt <= 3) {
            for (int i = 1; i <= n; i++) printf("%d ", a[i]);
            puts("");
        }
        return;
    }
    for (int i = 1; i <= n; i++) {
        if (col[i] || l[k + i] || r[k - i + n]) continue;
        a[k] = i;
        col[i] = l[k + i] = r[k - i + n] = true;
        dfs(k + 1);
        col[i] = l[k + i] = r[k - i + n] = false;
    }
}

int main() {
    cin >> n;
    dfs(1);
    cout << cnt;
}

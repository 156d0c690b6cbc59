#include <cmath>
#include <cstdio>
#include <cstring>

int ans[20];
int pos[20];

// HDU 2553: N <= 10
void dfs(int k, int n) {
    if (k == n) {
        ans[n]++;
        return;
    }
    for (int i = 0; i < n; i++) {
        bool ok = true;
        for (int j = 0; j < k; j++)
            if (pos[j] == i || std::abs(pos[j] - i) == k - j) {
                ok = false;
                break;
            }
        if (ok) {
            pos[k] = i;
            dfs(k + 1, n);
        }
    }
}

int main() {
    memset(ans, 0, sizeof ans);
    for (int n = 1; n <= 10; n++) dfs(0, n);
    int n;
    while (scanf("%d", &n) == 1 && n) printf("%d\n", ans[n]);
    return 0;
}

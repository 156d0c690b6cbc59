#include <cstdio>
#include <cstdlib>

int n, total, a[20];

void dfs(int row) {
    if (row == n) {
        total++;
        for (int i = 0; i < n; i++) printf("%d ", a[i] + 1);
        printf("\n");
        return;
    }
    for (int c = 0; c < n; c++) {
        bool ok = true;
        for (int i = 0; i < row && ok; i++) ok = a[i] != c && abs(a[i] - c) != row - i;
        if (ok) {
            a[row] = c;
            dfs(row + 1);
        }
    }
}

int main() {
    scanf("%d", &n);
    dfs(0);
    printf("%d\n", total);
    return 0;
}

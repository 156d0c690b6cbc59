#include <cstdio>

int n, total, a[20];
bool col[20], up[40], down[40];

void place(int row) {
    if (row > n) {
        total++;
        for (int i = 1; i < n; i++) printf("%d ", a[i]);
        printf("%d\n", a[n]);
        return;
    }
    for (int c = 1; c <= n; c++) {
        if (col[c] || up[row + c] || down[row - c + n]) continue;
        a[row] = c;
        col[c] = up[row + c] = down[row - c + n] = true;
        place(row + 1);
        col[c] = up[row + c] = down[row - c + n] = false;
    }
}

int main() {
    scanf("%d", &n);
    place(1);
    printf("%d\n", total);
}

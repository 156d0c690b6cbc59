#include <stdio.h>

int n, total;
int x[20], col[20], up[40], down[40];

void go(int row)
{
    if (row == n) {
        total++;
        if (total <= 3) {
            for (int i = 0; i < n; i++)
                printf(i < n - 1 ? "%d " : "%d\n", x[i]);
        }
        return;
    }
    for (int c = 0; c < n; c++) {
        if (col[c] || up[row + c] || down[row - c + n])
            continue;
        x[row] = c + 1;
        col[c] = up[row + c] = down[row - c + n] = 1;
        go(row + 1);
        col[c] = up[row + c] = down[row - c + n] = 0;
    }
}

int main(void)
{
    scanf("%d", &n);
    go(0);
    printf("%d\n", total);
    return 0;
}

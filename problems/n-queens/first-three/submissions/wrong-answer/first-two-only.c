#include <stdio.h>

int n, total, a[20], col[20], up[40], down[40];

void place(int row)
{
    if (row > n) {
        total++;
        if (total < 3) {
            for (int i = 1; i <= n; i++)
                printf("%d ", a[i]);
            printf("\n");
        }
        return;
    }
    for (int c = 1; c <= n; c++)
        if (!col[c] && !up[row + c] && !down[row - c + n]) {
            a[row] = c;
            col[c] = up[row + c] = down[row - c + n] = 1;
            place(row + 1);
            col[c] = up[row + c] = down[row - c + n] = 0;
        }
}

int main()
{
    scanf("%d", &n);
    place(1);
    printf("%d\n", total);
    return 0;
}

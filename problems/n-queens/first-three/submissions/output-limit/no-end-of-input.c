/* Answers one n after the other, for ever: the end of the input is never noticed. */
#include <stdio.h>

int n, solved, total, first[3][20], a[20], col[20], up[40], down[40];

void place(int row)
{
    if (row > n) {
        if (total < 3)
            for (int i = 1; i <= n; i++)
                first[total][i] = a[i];
        total++;
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
    while (1) {
        scanf("%d", &n);
        if (n != solved) {
            solved = n;
            total = 0;
            place(1);
        }
        for (int k = 0; k < 3; k++)
            for (int i = 1; i <= n; i++)
                printf("%d%c", first[k][i], i < n ? ' ' : '\n');
        printf("%d\n", total);
    }
}

#include <stdio.h>
#include <stdlib.h>

int n, total, a[20], col[20], up[40], down[40];

void place(int row)
{
    if (row > n) {
        total++;
        if (total <= 3)
            for (int i = 1; i <= n; i++)
                printf("%d%c", a[i], i < n ? ' ' : '\n');
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

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    place(1);
    printf("%d\n", total);
    return 0;
}

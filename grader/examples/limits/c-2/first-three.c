#include <stdio.h>
#include <stdlib.h>

int n, q[20];
long count = 0;

/* compares with all queens above */
int safe(int row, int c)
{
    int i;
    for (i = 1; i < row; i++)
        if (q[i] == c || abs(q[i] - c) == row - i)
            return 0;
    return 1;
}

void try(int row)
{
    int i;
    if (row > n) {
        if (++count <= 3) {
            for (i = 1; i <= n; i++) printf("%d%s", q[i], i == n ? "\n" : " ");
        }
        return;
    }
    for (i = 1; i <= n; i++)
        if (safe(row, i)) {
            q[row] = i;
            try(row + 1);
        }
}

int main()
{
    scanf("%d", &n);
    try(1);
    printf("%ld\n", count);
}

#include <stdio.h>
#include <stdlib.h>

/* Is row r free of attack by the rows before it? */
static int ok(const int *col, int r)
{
    for (int i = 0; i < r; i++)
        if (col[i] == col[r] || abs(col[i] - col[r]) == r - i)
            return 0;
    return 1;
}

#define ROW(r) for (c[r] = 0; c[r] < 8; c[r]++) if (ok(c, r))

int main(void)
{
    int c[8], total = 0;
    ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7)
        total++;
    printf("%d\n", total);
    return 0;
}

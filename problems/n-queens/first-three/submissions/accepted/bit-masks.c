#include <stdio.h>

static int n, queen[16];
static unsigned all;
static long total;

static void place(int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == n) {
        if (++total <= 3)
            for (int i = 0; i < n; i++)
                printf("%d%c", queen[i], i + 1 < n ? ' ' : '\n');
        return;
    }
    /* The lowest bit is the first column, so solutions come in numerical order. */
    for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
        unsigned bit = open & -open;
        queen[row] = __builtin_ctz(bit) + 1;
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(void)
{
    if (scanf("%d", &n) != 1)
        return 2;
    all = (1u << n) - 1;
    place(0, 0, 0, 0);
    printf("%ld\n", total);
    return 0;
}

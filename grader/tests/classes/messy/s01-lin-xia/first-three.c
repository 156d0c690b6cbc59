#include <stdio.h>

static int n, total, queen[13];

static void place(int row, int columns, int left, int right)
{
    if (row == n) {
        if (++total <= 3)
            for (int i = 0; i < n; i++)
                printf("%d%c", queen[i], i + 1 < n ? ' ' : '\n');
        return;
    }
    for (int free = ((1 << n) - 1) & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        queen[row] = __builtin_ctz(bit) + 1;
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(void)
{
    if (scanf("%d", &n) != 1)
        return 2;
    place(0, 0, 0, 0);
    printf("%d\n", total);
    return 0;
}

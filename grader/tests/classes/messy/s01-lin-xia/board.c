#include <stdio.h>
#include <stdlib.h>

static int n, queen[16];

static int place(int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c;
        if (bit & (columns | left | right))
            continue;
        queen[row] = c;
        if (place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    n = atoi(argv[1]);
    place(0, 0, 0, 0);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++)
            putchar(queen[r] == c ? 'Q' : '#');
        putchar('\n');
    }
    return 0;
}

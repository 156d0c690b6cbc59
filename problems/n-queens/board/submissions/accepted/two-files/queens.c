#include "queens.h"

static int place(int n, int row, unsigned columns, unsigned left, unsigned right, int column[])
{
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        unsigned queen = 1u << c;
        if ((columns | left | right) & queen)
            continue;
        column[row] = c;
        if (place(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1, column))
            return 1;
    }
    return 0;
}

int solve(int n, int column[])
{
    return place(n, 0, 0, 0, 0, column);
}

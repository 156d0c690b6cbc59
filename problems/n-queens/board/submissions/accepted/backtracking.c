#include <stdio.h>
#include <stdlib.h>

#define MAX 16

static int n;
static int column[MAX];

static int safe(int row)
{
    for (int above = 0; above < row; above++) {
        int distance = abs(column[above] - column[row]);
        if (distance == 0 || distance == row - above)
            return 0;
    }
    return 1;
}

static int place(int row)
{
    if (row == n)
        return 1;
    for (column[row] = 0; column[row] < n; column[row]++)
        if (safe(row) && place(row + 1))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    n = atoi(argv[1]);
    if (!place(0))
        return 1;
    for (int row = 0; row < n; row++) {
        for (int c = 0; c < n; c++)
            putchar(c == column[row] ? 'Q' : '#');
        putchar('\n');
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int n, column[20];

int place(int row)
{
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int i = 0; i < row; i++)
            if (column[i] == c || abs(column[i] - c) == row - i)
                ok = 0;
        if (!ok)
            continue;
        column[row] = c;
        if (place(row + 1))
            return 1;
    }
    return 0;
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    place(0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            putchar(column[i] == j ? 'Q' : '.');
        putchar('\n');
    }
    return 0;
}

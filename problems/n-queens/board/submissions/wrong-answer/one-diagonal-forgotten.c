#include <stdio.h>
#include <stdlib.h>

int n, column[20];

int safe(int row)
{
    for (int i = 0; i < row; i++)
        if (column[i] == column[row] || column[row] - column[i] == row - i)
            return 0;
    return 1;
}

int place(int row)
{
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        column[row] = c;
        if (safe(row) && place(row + 1))
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
            printf("%c", column[i] == j ? 'Q' : '#');
        printf("\n");
    }
    return 0;
}

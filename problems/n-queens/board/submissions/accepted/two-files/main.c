#include <stdio.h>
#include <stdlib.h>

#include "queens.h"

int main(int argc, char **argv)
{
    int column[32];
    int n = argc > 1 ? atoi(argv[1]) : 8;
    if (n > 32 || !solve(n, column))
        return 1;
    for (int row = 0; row < n; row++) {
        for (int c = 0; c < n; c++)
            putchar(column[row] == c ? 'Q' : '#');
        putchar('\n');
    }
    return 0;
}

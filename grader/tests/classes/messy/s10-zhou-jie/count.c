#include <stdio.h>
#include <stdlib.h>

int n;

int place(int row, int cols, int l, int r)
{
    int c, total = 0
    if (row == n)
        return 1;
    for (c = 0; c < n; c++)
        if (!((cols | l | r) >> c & 1))
            total += place(row + 1, cols | 1 << c, (l | 1 << c) << 1, (r | 1 << c) >> 1);
    return total;
}

int main(int argc, char **argv)
{
    n = atoi(argv[1]);
    printf("%d\n", place(0, 0, 0, 0));
    return 0;
}

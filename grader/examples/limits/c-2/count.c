#include <stdio.h>
#include <stdlib.h>

int n;

long long solve(int row, unsigned cols, unsigned d1, unsigned d2)
{
    long long s = 0;
    int c;
    if (row == n) return 1;
    for (c = 0; c < n; c++) {
        unsigned b = 1u << c;
        if (cols & b || d1 & b || d2 & b) continue;
        s += solve(row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return s;
}

int main(int argc, char **argv)
{
    n = atoi(argv[1]);
    printf("%lld", solve(0, 0, 0, 0));
    return 0;
}

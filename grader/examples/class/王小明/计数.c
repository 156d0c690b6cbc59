#include <stdio.h>
#include <stdlib.h>

static unsigned full;

/* 每次取出最低位的 1：这一行还能放的最右边一列 */
static long long place(unsigned columns, unsigned left, unsigned right)
{
    long long total = 0;
    unsigned free = full & ~(columns | left | right);
    if (columns == full)
        return 1;
    while (free) {
        unsigned bit = free & -free;
        free -= bit;
        total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), c;
    long long total = 0;
    full = (1u << n) - 1;
    /* 左右对称，只数第一行的左半边 */
    for (c = 0; c < n / 2; c++)
        total += 2 * place(1u << c, 2u << c, 1u << c >> 1);
    if (n % 2)
        total += place(1u << c, 2u << c, 1u << c >> 1);
    printf("%lld\n", total);
    return 0;
}

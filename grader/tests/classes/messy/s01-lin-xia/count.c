/* 比特计数:用三个整数记下列和两个方向的斜线。 */
#include <stdio.h>
#include <stdlib.h>

static unsigned full;

static long long place(unsigned columns, unsigned left, unsigned right)
{
    if (columns == full)
        return 1;
    long long total = 0;
    for (unsigned free = full & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    int n = atoi(argv[1]);
    full = (1u << n) - 1;
    printf("%lld\n", place(0, 0, 0));
    return 0;
}

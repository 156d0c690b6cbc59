/* Richards' recursion: three masks say which columns of the next row are attacked. */
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
    if (argc != 2) {
        fprintf(stderr, "usage: count n\n");
        return 2;
    }
    all = (1u << atoi(argv[1])) - 1;
    printf("%ld\n", place(0, 0, 0));
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int full, total;

void put(int cols, int l, int r)
{
    int free, bit;
    if (cols == full) {
        total++;
        return;
    }
    for (free = full & ~(cols | l | r); free; free ^= bit) {
        bit = free & -free;
        put(cols | bit, (l | bit) << 1, (r | bit) >> 1);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[2]);
    full = (1 << n) - 1;
    put(0, 0, 0);
    printf("%d\n", total);
    return 0;
}

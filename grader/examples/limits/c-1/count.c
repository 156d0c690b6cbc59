#include <stdio.h>
#include <stdlib.h>

int all;
long count;

void place(int cols, int left, int right)
{
    if (cols == all) {
        count++;
        return;
    }
    int free = all & ~(cols | left | right);
    while (free) {
        int bit = free & -free;
        free -= bit;
        place(cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(int argc, char *argv[])
{
    int n = atoi(argv[1]);
    all = (1 << n) - 1;
    place(0, 0, 0);
    printf("%ld\n", count);
    return 0;
}

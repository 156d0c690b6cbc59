#include <stdio.h>
#include <stdlib.h>

int all, total

void place(int columns, int left, int right)
{
    if (columns == all) {
        total++;
        return;
    }
    int open = all & ~(columns | left | right);
    while (open) {
        int queen = open & -open;
        open ^= queen;
        place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

int main(int argc, char **argv)
{
    all = (1 << atoi(argv[1])) - 1;
    place(0, 0, 0);
    printf("%d\n", total);
    return 0;
}

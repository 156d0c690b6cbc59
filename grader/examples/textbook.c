/* The number of ways to place n queens, as the textbooks count it: three bit masks say which columns of the next row are
 * attacked, straight and along both diagonals.
 *
 * M. Richards, Backtracking Algorithms in MCPL using Bit Patterns and Recursion, Technical Report 433, University of
 * Cambridge Computer Laboratory, 1997.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned all;
static unsigned long solutions;

static void place(unsigned columns, unsigned left, unsigned right)
{
    if (columns == all) {
        solutions++;
        return;
    }
    unsigned open = all & ~(columns | left | right);
    while (open) {
        unsigned queen = open & -open;
        open -= queen;
        place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 31) {
        fprintf(stderr, "usage: textbook N, 1 to 31\n");
        return 2;
    }
    all = (1u << n) - 1;
    place(0, 0, 0);
    printf("%lu\n", solutions);
    return 0;
}

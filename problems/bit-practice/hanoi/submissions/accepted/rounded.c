#include <stdio.h>
#include <stdlib.h>

/* Disc d moves for the first time at step 2^(d-1) and then every 2^d steps, always in the same direction. */
int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    unsigned long long k = strtoull(argv[2], NULL, 10);
    for (int d = 1; d <= n; d++) {
        unsigned long long moves = (k + (1ULL << (d - 1))) >> d;
        int step = (n - d) % 2 == 0 ? 2 : 1;
        printf("%d%c", (int)(moves % 3 * step % 3) + 1, d < n ? ' ' : '\n');
    }
    return 0;
}

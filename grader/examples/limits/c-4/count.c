#include <stdio.h>
#include <stdlib.h>

/* without recursion: the masks of each row are kept in arrays */
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), row = 0;
    unsigned full = (1u << n) - 1;
    unsigned col[40], l[40], r[40], avail[40];
    long total = 0;
    col[0] = l[0] = r[0] = 0;
    avail[0] = full;
    while (row >= 0) {
        if (avail[row] == 0) {
            row--;
            continue;
        }
        unsigned b = avail[row] & (~avail[row] + 1);
        avail[row] ^= b;
        if (row == n - 1) {
            total++;
            continue;
        }
        col[row + 1] = col[row] | b;
        l[row + 1] = (l[row] | b) << 1;
        r[row + 1] = (r[row] | b) >> 1;
        avail[row + 1] = full & ~(col[row + 1] | l[row + 1] | r[row + 1]);
        row++;
    }
    printf("%ld\n", total);
    return 0;
}

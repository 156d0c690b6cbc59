/*
 * Sosic and Gu, the version with a list of attacked queens: swap an attacked queen with a random one whenever that
 * lowers the number of collisions; begin again when it takes too long. The first placement avoids most conflicts.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int n;
static int *queen, *attacked;
/* A diagonal of a random permutation holds a handful of queens: a byte is enough, and keeps the counters in cache. */
static unsigned char *rising, *falling;
static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(((state >> 32) * bound) >> 32);
}

/* Moves the queen of a row on (+1) or off (-1) its diagonals and returns how many collisions that adds. */
static int put(int row, int step)
{
    unsigned char *up = &rising[row + queen[row]], *down = &falling[row - queen[row] + n];
    int before = (*up > 1 ? *up - 1 : 0) + (*down > 1 ? *down - 1 : 0);
    *up += step;
    *down += step;
    int after = (*up > 1 ? *up - 1 : 0) + (*down > 1 ? *down - 1 : 0);
    return after - before;
}

static int swap_rows(int a, int b)
{
    int change = put(a, -1) + put(b, -1);
    int column = queen[a];
    queen[a] = queen[b];
    queen[b] = column;
    return change + put(a, 1) + put(b, 1);
}

static int is_attacked(int row)
{
    return rising[row + queen[row]] > 1 || falling[row - queen[row] + n] > 1;
}

int main(int argc, char **argv)
{
    if (argc != 2 || (n = atoi(argv[1])) < 4)
        return 2;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    state = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    queen = malloc(n * sizeof *queen);
    attacked = malloc(n * sizeof *attacked);
    rising = malloc(2 * n * sizeof *rising);
    falling = malloc((2 * n + 1) * sizeof *falling);

    int collisions = 1;
    while (collisions > 0) {
        for (int i = 0; i < 2 * n; i++)
            rising[i] = falling[i] = 0;
        falling[2 * n] = 0;
        collisions = 0;
        for (int i = 0; i < n; i++)
            queen[i] = i;
        for (int i = 0; i < n; i++) {
            /* A few draws for a column without conflict; the last one is taken as it is. */
            for (int draw = 0; draw < 20; draw++) {
                int j = i + (int)below(n - i), column = queen[j];
                queen[j] = queen[i];
                queen[i] = column;
                if (rising[i + column] == 0 && falling[i - column + n] == 0)
                    break;
            }
            collisions += put(i, 1);
        }

        long tries = 32L * n + 1000;
        while (collisions > 0 && tries > 0) {
            int found = 0;
            for (int i = 0; i < n; i++)
                if (is_attacked(i))
                    attacked[found++] = i;
            /* The list is made anew when fewer than 45% of the collisions are left, or when no queen in it is attacked. */
            int goal = (int)(0.45 * collisions), tried = 1;
            while (collisions > goal && tries > 0 && tried > 0) {
                tried = 0;
                for (int k = 0; k < found && collisions > goal; k++) {
                    if (!is_attacked(attacked[k]))
                        continue;
                    int other = (int)below(n);
                    int change = swap_rows(attacked[k], other);
                    if (change < 0)
                        collisions += change;
                    else
                        swap_rows(attacked[k], other);
                    tried++;
                }
                tries -= tried;
            }
        }
    }
    for (int i = 0; i < n; i++)
        printf("%d%c", queen[i] + 1, i + 1 < n ? ' ' : '\n');
    return 0;
}

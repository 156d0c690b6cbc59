/* A permutation is the state, exchanging two rows the move, the number of collisions on the diagonals the energy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX 1000

static int n, queen[MAX], rising[2 * MAX], falling[2 * MAX];

static double uniform(void) { return rand() / (RAND_MAX + 1.0); }

/* Adds or removes one queen; returns the change of energy. */
static int put(int row, int step)
{
    int *up = &rising[row + queen[row]], *down = &falling[row - queen[row] + n];
    if (step > 0)
        return ((*up)++ > 0) + ((*down)++ > 0);
    return -(--*up > 0) - (--*down > 0);
}

static int exchange(int a, int b)
{
    int change = put(a, -1) + put(b, -1);
    int column = queen[a];
    queen[a] = queen[b];
    queen[b] = column;
    return change + put(a, 1) + put(b, 1);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (n = atoi(argv[1])) < 4 || n > MAX)
        return 2;
    srand((unsigned)time(NULL));
    int energy = 1;
    while (energy > 0) {
        memset(rising, 0, sizeof rising);
        memset(falling, 0, sizeof falling);
        for (int i = 0; i < n; i++) {
            int j = (int)(uniform() * (i + 1));
            queen[i] = queen[j];
            queen[j] = i;
        }
        energy = 0;
        for (int i = 0; i < n; i++)
            energy += put(i, 1);
        for (double t = 1.0; t > 0.05 && energy > 0; t *= 0.98)
            for (int step = 0; step < 10 * n && energy > 0; step++) {
                int a = (int)(uniform() * n), b = (int)(uniform() * n);
                if (a == b)
                    continue;
                int change = exchange(a, b);
                if (change <= 0 || uniform() < exp(-change / t))
                    energy += change;
                else
                    exchange(a, b);
            }
    }
    for (int i = 0; i < n; i++)
        printf("%d%c", queen[i] + 1, i + 1 < n ? ' ' : '\n');
    return 0;
}

/*
 * Minimum conflicts, the plain way: an attacked queen changes places with the queen of the row for which that leaves the
 * fewest attacks. Each step looks at all pairs of queens, and a board takes about n / 2 steps: O(n^3).
 */
#include <stdio.h>
#include <stdlib.h>

static int n, *queen, *attacked, *best;
static unsigned long long state = 20250101;

static int below(int bound)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % bound);
}

/* Attacks on a queen of this row and column, the queens of rows a and b taken away. */
static int attacks(int row, int column, int a, int b)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int distance = queen[i] - column, rows = i - row;
        count += (i != a) & (i != b) & ((distance == rows) | (distance == -rows));
    }
    return count;
}

/*
 * How many attacks there are more when rows a and b have changed their columns. Whether the two attack each other does
 * not change with that.
 */
static int change(int a, int b)
{
    int before = attacks(a, queen[a], a, b) + attacks(b, queen[b], a, b);
    int after = attacks(a, queen[b], a, b) + attacks(b, queen[a], a, b);
    return after - before;
}

static int solve(void)
{
    for (int i = 0; i < n; i++)
        queen[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }
    for (int step = 0; step < 4 * n + 50; step++) {
        int found = 0, bests = 0, least = 1 << 30;
        for (int i = 0; i < n; i++)
            if (attacks(i, queen[i], i, i) > 0)
                attacked[found++] = i;
        if (found == 0)
            return 1;
        int a = attacked[below(found)];
        for (int b = 0; b < n; b++) {
            if (b == a)
                continue;
            int more = change(a, b);
            if (more < least)
                least = more, bests = 0;
            if (more == least)
                best[bests++] = b;
        }
        int b = best[below(bests)], t = queen[a];
        queen[a] = queen[b];
        queen[b] = t;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 || (n = atoi(argv[1])) < 4)
        return 2;
    queen = malloc(n * sizeof *queen);
    attacked = malloc(n * sizeof *attacked);
    best = malloc(n * sizeof *best);
    while (!solve())
        ;
    for (int i = 0; i < n; i++)
        printf("%d%c", queen[i] + 1, i + 1 < n ? ' ' : '\n');
    return 0;
}

/* Sosic & Gu: a permutation with few conflicts to begin with, then swaps that lower the number of attacks. */
#include <stdio.h>
#include <stdlib.h>

static int n, *queen, *up, *down;
static unsigned long long seed = 88172645463325252ULL;

static unsigned below(unsigned limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) * limit >> 32);
}

static void swap(int i, int j)
{
    int t = queen[i];
    queen[i] = queen[j];
    queen[j] = t;
}

static void add(int i, int d)
{
    up[i + queen[i]] += d;
    down[i - queen[i] + n - 1] += d;
}

static int attacked(int i)
{
    return up[i + queen[i]] > 1 || down[i - queen[i] + n - 1] > 1;
}

static int pairs(int k)
{
    return k * (k - 1) / 2;
}

static int cost(int i)
{
    return pairs(up[i + queen[i]]) + pairs(down[i - queen[i] + n - 1]);
}

static void start(void)
{
    for (int i = 0; i < 2 * n; i++)
        up[i] = down[i] = 0;
    for (int i = 0; i < n; i++)
        queen[i] = i;
    /* Put each queen where nothing placed so far attacks it, if a few tries find such a place. */
    int i = 0;
    for (int tries = 0; i < n && tries < 3 * n + 50; tries++) {
        swap(i, i + below(n - i));
        if (up[i + queen[i]] == 0 && down[i - queen[i] + n - 1] == 0)
            add(i++, 1);
    }
    for (; i < n; i++) {
        swap(i, i + below(n - i));
        add(i, 1);
    }
}

/* The change of attacked pairs when i and j are exchanged; done if it is below zero. */
static int improve(int i, int j)
{
    int before = 0, after = 0;
    before += cost(i); add(i, -1); before -= cost(i);
    before += cost(j); add(j, -1); before -= cost(j);
    swap(i, j);
    after -= cost(i); add(i, 1); after += cost(i);
    after -= cost(j); add(j, 1); after += cost(j);
    if (after < before)
        return 1;
    add(i, -1); add(j, -1);
    swap(i, j);
    add(i, 1); add(j, 1);
    return 0;
}

static int solve(void)
{
    for (int round = 0; round < 200; round++) {
        int left = 0;
        for (int i = 0; i < n; i++) {
            for (int tries = 0; tries < 500 && attacked(i); tries++) {
                int j = below(n);
                if (j != i)
                    improve(i, j);
            }
            left += attacked(i);
        }
        if (left == 0)
            break;
    }
    for (int i = 0; i < n; i++)
        if (attacked(i))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    n = atoi(argv[1]);
    queen = malloc(n * sizeof *queen);
    up = malloc(2 * n * sizeof *up);
    down = malloc(2 * n * sizeof *down);
    do
        start();
    while (!solve());
    for (int i = 0; i < n; i++)
        printf("%d%c", queen[i] + 1, i + 1 < n ? ' ' : '\n');
    return 0;
}

/* Local search: each attacked queen is swapped with a random one if that helps. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int *q, *up, *down, n;

void add(int row, int k)
{
    up[row + q[row]] += k;
    down[row - q[row] + n - 1] += k;
}

int conflicts(int row)
{
    return up[row + q[row]] - 1 + down[row - q[row] + n - 1] - 1;
}

void exchange(int a, int b)
{
    add(a, -1);
    add(b, -1);
    int t = q[a]; q[a] = q[b]; q[b] = t;
    add(a, 1);
    add(b, 1);
}

void shuffle(void)
{
    int i;
    for (i = 0; i < 2 * n - 1; i++) up[i] = down[i] = 0;
    for (i = 0; i < n; i++) q[i] = i;
    for (i = 0; i < n; i++) {
        int j = i + rand() % (n - i);
        int t = q[i]; q[i] = q[j]; q[j] = t;
    }
    for (i = 0; i < n; i++) add(i, 1);
}

int search(void)
{
    int round, i;
    for (round = 0; round < 2000; round++) {
        int bad = 0;
        for (i = 0; i < n; i++) {
            int j, before, after;
            if (conflicts(i) == 0) continue;
            bad++;
            j = rand() % n;
            if (i == j) continue;
            before = conflicts(i) + conflicts(j);
            exchange(i, j);
            after = conflicts(i) + conflicts(j);
            if (after >= before) exchange(i, j);
        }
        if (bad == 0) return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int i;
    n = atoi(argv[1]);
    q = malloc(n * sizeof(int));
    up = malloc(2 * n * sizeof(int));
    down = malloc(2 * n * sizeof(int));
    srand((unsigned)time(0));
    do shuffle(); while (!search());
    for (i = 0; i < n; i++) printf("%d\n", q[i] + 1);
    return 0;
}

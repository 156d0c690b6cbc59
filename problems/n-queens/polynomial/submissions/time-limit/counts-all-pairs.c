/* Right, but looks at every pair of queens to find the attacked ones, over and over. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n, *queen, *up, *down;
unsigned long long seed;

int below(int bound)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % bound);
}

int attacked(int row)
{
    for (int i = 0; i < n; i++)
        if (i != row && abs(queen[i] - queen[row]) == abs(i - row))
            return 1;
    return 0;
}

int solve(void)
{
    for (int i = 0; i < n; i++)
        queen[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }
    for (int i = 0; i < 2 * n; i++)
        up[i] = down[i] = 0;
    for (int i = 0; i < n; i++) {
        up[i + queen[i]]++;
        down[i - queen[i] + n]++;
    }
    for (int pass = 0; pass < 200; pass++) {
        int bad = 0;
        for (int a = 0; a < n; a++) {
            if (!attacked(a))
                continue;
            bad++;
            for (int tries = 0; tries < 2 * n; tries++) {
                int b = below(n);
                if (a == b)
                    continue;
                int qa = queen[a], qb = queen[b];
                int before = up[a + qa] + up[b + qb] + down[a - qa + n] + down[b - qb + n];
                up[a + qa]--, up[b + qb]--, down[a - qa + n]--, down[b - qb + n]--;
                up[a + qb]++, up[b + qa]++, down[a - qb + n]++, down[b - qa + n]++;
                int after = up[a + qb] + up[b + qa] + down[a - qb + n] + down[b - qa + n];
                if (after < before) {
                    queen[a] = qb;
                    queen[b] = qa;
                    break;
                }
                up[a + qa]++, up[b + qb]++, down[a - qa + n]++, down[b - qb + n]++;
                up[a + qb]--, up[b + qa]--, down[a - qb + n]--, down[b - qa + n]--;
            }
        }
        if (bad == 0)
            return 1;
    }
    return 0;
}

int main(int argc, char *argv[])
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    seed = now.tv_nsec;
    n = atoi(argv[1]);
    queen = malloc(n * sizeof(int));
    up = malloc(2 * n * sizeof(int));
    down = malloc(2 * n * sizeof(int));
    while (!solve())
        ;
    for (int i = 0; i < n; i++)
        printf("%d ", queen[i] + 1);
    printf("\n");
    return 0;
}

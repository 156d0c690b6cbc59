#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>

#define N 128

static int cost(const int *s, int n)
{
    int d1[2 * N] = {0}, d2[2 * N] = {0}, c = 0;
    for (int i = 0; i < n; i++) {
        d1[s[i] + i]++;
        d2[s[i] - i + n]++;
    }
    for (int i = 0; i < 2 * n; i++) {
        if (d1[i] > 1) c += d1[i] - 1;
        if (d2[i] > 1) c += d2[i] - 1;
    }
    return c;
}

static int anneal(int *s, int n)
{
    int next[N];
    for (int i = 0; i < n; i++) s[i] = i;
    int c = cost(s, n);
    for (double t = 100; t > 0.1; t *= 0.98) {
        for (int k = 0; k < 500; k++) {
            memcpy(next, s, sizeof next);
            int i = rand() % n, j = rand() % n;
            next[i] = s[j];
            next[j] = s[i];
            int d = cost(next, n) - c;
            if (d <= 0 || rand() % 10000 / 10000.0 < exp(-d / t)) {
                memcpy(s, next, sizeof next);
                c += d;
                if (c == 0) return 1;
            }
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), s[N];
    srand(time(NULL));
    while (!anneal(s, n))
        ;
    for (int i = 0; i < n; i++) printf("%d ", s[i] + 1);
    printf("\n");
    return 0;
}

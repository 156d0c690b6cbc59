#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>

int n, *q, *up, *down;

double uniform(void) { return rand() / (RAND_MAX + 1.0); }

int attacks(int i) { return up[i + q[i]] + down[i - q[i] + n] - 2; }

void set(int i, int k)
{
    up[i + q[i]] += k;
    down[i - q[i] + n] += k;
}

void exchange(int i, int j)
{
    set(i, -1);
    set(j, -1);
    int t = q[i];
    q[i] = q[j];
    q[j] = t;
    set(i, 1);
    set(j, 1);
}

int main(int argc, char **argv)
{
    n = atoi(argv[1]);
    q = malloc(n * sizeof(int));
    up = calloc(2 * n + 1, sizeof(int));
    down = calloc(2 * n + 1, sizeof(int));
    srand(time(NULL));
    for (int i = 0; i < n; i++) q[i] = i;
    for (int i = 0; i < n; i++) set(i, 1);
    for (;;) {
        for (double t = 20; t > 0.02; t *= 0.99) {
            for (int k = 0; k < 20 * n; k++) {
                int i = n * uniform(), j = n * uniform();
                if (i == j) continue;
                int before = attacks(i) + attacks(j);
                exchange(i, j);
                int delta = attacks(i) + attacks(j) - before;
                if (delta > 0 && uniform() > exp(-delta / t)) exchange(i, j);
            }
            int sum = 0;
            for (int i = 0; i < n; i++) sum += attacks(i);
            if (sum == 0) {
                for (int i = 0; i < n; i++) printf("%d ", q[i] + 1);
                puts("");
                return 0;
            }
        }
    }
}

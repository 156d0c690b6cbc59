#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define MAX 1000000

int x[MAX], a[2 * MAX], b[2 * MAX];

int cost(int k) { return k > 1 ? k - 1 : 0; }

int main(int argc, char *argv[])
{
    int n = atoi(argv[1]);
    int total = 0;
    long fail;
    srand(time(NULL));
again:
    for (int i = 0; i < n; i++) x[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = rand() % (i + 1), t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
    for (int i = 0; i < 2 * n; i++) a[i] = b[i] = 0;
    for (int i = 0; i < n; i++) { a[i + x[i]]++; b[n + i - x[i]]++; }
    total = 0;
    for (int i = 0; i < 2 * n; i++) total += cost(a[i]) + cost(b[i]);
    fail = 0;
    /* random pairs */
    while (total > 0) {
        int i = rand() % n;
        int j = rand() % n;
        if (i == j) continue;
        int before = 0, after = 0;
        int d[8] = {i + x[i], j + x[j], i + x[j], j + x[i], n + i - x[i], n + j - x[j], n + i - x[j], n + j - x[i]};
        /* the change of the eight diagonals, one after the other */
        for (int k = 0; k < 8; k++) {
            int *s = k < 4 ? a : b;
            int step = k % 4 < 2 ? -1 : 1;
            before += cost(s[d[k]]);
            s[d[k]] += step;
            after += cost(s[d[k]]);
        }
        if (after < before) {
            int t = x[i];
            x[i] = x[j];
            x[j] = t;
            total += after - before;
            fail = 0;
        } else {
            for (int k = 0; k < 8; k++) {
                int *s = k < 4 ? a : b;
                s[d[k]] -= k % 4 < 2 ? -1 : 1;
            }
            if (++fail > 1000L * n) goto again;
        }
    }
    for (int i = 0; i < n; i++) printf("%d ", x[i] + 1);
    putchar('\n');
}

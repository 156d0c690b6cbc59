#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, queen[1000], up[2000], down[2000];

static int pairs(int k)
{
    return k * (k - 1) / 2;
}

static void add(int i, int d)
{
    up[i + queen[i]] += d;
    down[i - queen[i] + n] += d;
}

static int energy(void)
{
    int sum = 0;
    for (int d = 0; d < 2 * n; d++)
        sum += pairs(up[d]) + pairs(down[d]);
    return sum;
}

static int anneal(void)
{
    for (int i = 0; i < 2 * n; i++)
        up[i] = down[i] = 0;
    for (int i = 0; i < n; i++)
        queen[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = rand() % (i + 1), t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }
    for (int i = 0; i < n; i++)
        add(i, 1);
    int now = energy();
    for (double heat = 2; heat > 0.05 && now > 0; heat *= 0.9)
        for (int step = 0; step < 20 * n && now > 0; step++) {
            int i = rand() % n, j = rand() % n, t;
            if (i == j)
                continue;
            add(i, -1), add(j, -1);
            t = queen[i], queen[i] = queen[j], queen[j] = t;
            add(i, 1), add(j, 1);
            int then = energy();
            if (then <= now || rand() < RAND_MAX * exp((now - then) / heat))
                now = then;
            else {
                add(i, -1), add(j, -1);
                t = queen[i], queen[i] = queen[j], queen[j] = t;
                add(i, 1), add(j, 1);
            }
        }
    return now == 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    n = atoi(argv[1]);
    srand(20240715);
    while (!anneal())
        ;
    for (int i = 0; i < n; i++)
        printf("%d ", queen[i] + 1);
    printf("\n");
    return 0;
}

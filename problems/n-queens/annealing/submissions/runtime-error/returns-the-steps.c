#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n, q[200], up[500], down[500];

int change(int row, int step)
{
    int *u = &up[row + q[row]], *d = &down[row - q[row] + n];
    if (step < 0)
        return -(--*u) - (--*d);
    return (*u)++ + (*d)++;
}

int exchange(int a, int b)
{
    int sum = change(a, -1) + change(b, -1), c = q[a];
    q[a] = q[b];
    q[b] = c;
    return sum + change(a, 1) + change(b, 1);
}

/* "main returns how many restarts it took", counted from one */
int main(int argc, char *argv[])
{
    struct timespec clock;
    n = atoi(argv[1]);
    timespec_get(&clock, TIME_UTC);
    srand(clock.tv_nsec);
    int energy = 0, rounds = 1;
    for (int i = 0; i < n; i++)
        q[i] = i + 1;
    for (int i = 0; i < n; i++)
        energy += change(i, 1);
    double t = 1;
    while (energy > 0) {
        int a = rand() % n, b = rand() % n;
        if (a == b)
            continue;
        int delta = exchange(a, b);
        if (delta <= 0 || rand() / (RAND_MAX + 1.0) < exp(-delta / t))
            energy += delta;
        else
            exchange(a, b);
        t *= 0.9999;
        if (t < 0.05) {
            t = 1;
            rounds++;
        }
    }
    for (int i = 0; i < n; i++)
        printf("%d ", q[i]);
    printf("\n");
    return rounds < 100 ? rounds : 100;
}

/* One slow cooling and no second chance: the board is printed as it is when the steps are used up. About nine
   coolings of ten end in a solution, for small boards and large ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX 1000

static int n, queen[MAX], rising[2 * MAX], falling[2 * MAX];
static FILE *noise;

/* A number in [0, 1) from the system's random numbers. */
static double uniform(void)
{
    unsigned bits;
    if (fread(&bits, sizeof bits, 1, noise) != 1)
        exit(3);
    return bits / 4294967296.0;
}

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
    if ((noise = fopen("/dev/urandom", "rb")) == NULL)
        return 3;
    for (int i = 0; i < n; i++) {
        int j = (int)(uniform() * (i + 1));
        queen[i] = queen[j];
        queen[j] = i;
    }
    int energy = 0;
    for (int i = 0; i < n; i++)
        energy += put(i, 1);
    const int steps = 11 * n * n / 2;
    const double hot = 0.6, cold = 0.15, cooling = pow(cold / hot, 1.0 / steps);
    double t = hot;
    for (int step = 0; step < steps && energy > 0; step++, t *= cooling) {
        int a = (int)(uniform() * n), b = (int)(uniform() * n);
        if (a == b)
            continue;
        int change = exchange(a, b);
        if (change <= 0 || uniform() < exp(-change / t))
            energy += change;
        else
            exchange(a, b);
    }
    for (int i = 0; i < n; i++)
        printf("%d%c", queen[i] + 1, i + 1 < n ? ' ' : '\n');
    return 0;
}

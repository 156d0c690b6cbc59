/* simulated annealing, pairs of queens that attack each other are counted in two loops */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n;
int pos[200];

int conflicts(void)
{
    int i, j, c = 0;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            if (abs(pos[i] - pos[j]) == j - i) c++;
    return c;
}

int main(int argc, char **argv)
{
    int i, j, t, old, now;
    double T;
    n = atoi(argv[1]);
    srand(time(0));
    for (i = 0; i < n; i++) pos[i] = i + 1;
    for (i = 0; i < n; i++) { j = rand() % n; t = pos[i]; pos[i] = pos[j]; pos[j] = t; }
    old = conflicts();
    T = 1.0;
    while (old > 0) {
        i = rand() % n;
        j = rand() % n;
        t = pos[i]; pos[i] = pos[j]; pos[j] = t;
        now = conflicts();
        if (now < old || (double)rand() / RAND_MAX < exp((old - now) / T)) {
            old = now;
        } else {
            t = pos[i]; pos[i] = pos[j]; pos[j] = t;
        }
        T = T * 0.999;
        if (T < 0.05) T = 1.0;
    }
    for (i = 0; i < n; i++) printf("%d\n", pos[i]);
    return 0;
}

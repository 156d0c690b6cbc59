#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n, q[200];

int energy()
{
    int up[400] = {0}, down[400] = {0}, i, sum = 0;
    for (i = 0; i < n; i++)
        sum += up[i + q[i]]++ + down[i - q[i] + n]++;
    return sum;
}

void main(int argc, char *argv[])
{
    struct timespec clock;
    int i, now, next, a, b, c;
    double t = 1;
    n = atoi(argv[1]);
    timespec_get(&clock, TIME_UTC);
    srand(clock.tv_nsec);
    for (i = 0; i < n; i++)
        q[i] = i + 1;
    now = energy();
    while (now > 0) {
        a = rand() % n;
        b = rand() % n;
        c = q[a];
        q[a] = q[b];
        q[b] = c;
        next = energy();
        if (next <= now || rand() / (RAND_MAX + 1.0) < exp((now - next) / t)) {
            now = next;
        } else {
            q[b] = q[a];
            q[a] = c;
        }
        t = t > 0.1 ? t * 0.9999 : 1;
    }
    for (i = 0; i < n; i++)
        printf("%d ", q[i]);
    printf("\n");
}

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n, q[1000], a[2000], b[2000];

int energy(void)
{
    int e = 0;
    for (int i = 0; i < 2 * n; i++) a[i] = b[i] = 0;
    for (int i = 0; i < n; i++) {
        e += a[i + q[i]]++;
        e += b[i - q[i] + n]++;
    }
    return e;
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    srand(time(NULL));
    for (int i = 0; i < n; i++) q[i] = i;
    int e = energy();
    while (e > 0) {
        double t = 10;
        while (t > 0.01 && e > 0) {
            int i = rand() % n, j = rand() % n;
            int h = q[i]; q[i] = q[j]; q[j] = h;
            int next = energy();
            if (next <= e || exp((e - next) / t) > rand() / (double)RAND_MAX)
                e = next;
            else {
                h = q[i]; q[i] = q[j]; q[j] = h;
            }
            t *= 0.9999;
        }
    }
    for (int i = 0; i < n; i++) printf("%d ", q[i] + 1);
    printf("\n");
    return 0;
}

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 50

int q[N];

int energy(int n)
{
    int e = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (abs(q[i] - q[j]) == j - i)
                e++;
    return e;
}

int main(int argc, char *argv[])
{
    int n = atoi(argv[1]);
    if (n > N)
        n = N;
    for (int i = 0; i < n; i++)
        q[i] = i + 1;
    double t = 1;
    int e = energy(n);
    while (e) {
        int i = rand() % n, j = rand() % n;
        int x = q[i];
        q[i] = q[j];
        q[j] = x;
        int e2 = energy(n);
        if (e2 <= e || rand() / (double)RAND_MAX < exp((e - e2) / t)) {
            e = e2;
        } else {
            x = q[i];
            q[i] = q[j];
            q[j] = x;
        }
        if (t > 0.25)
            t *= 0.999;
    }
    for (int i = 0; i < n; i++)
        printf("%d%s", q[i], i < n - 1 ? " " : "\n");
    return 0;
}

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int n = 100;
int q[200];

int attacks(int i)
{
    int j, sum = 0;
    for (j = 0; j < n; j++)
        if (j != i && abs(q[i] - q[j]) == abs(i - j))
            sum++;
    return sum;
}

int total(void)
{
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += attacks(i);
    return sum;
}

int main()
{
    int i, j, t, before, after;
    double heat = 1;
    scanf("%d", &n);
    srand(3);
    for (i = 0; i < n; i++)
        q[i] = i + 1;
    while (total() > 0) {
        i = rand() % n;
        j = rand() % n;
        before = attacks(i) + attacks(j);
        t = q[i], q[i] = q[j], q[j] = t;
        after = attacks(i) + attacks(j);
        if (after > before && rand() > RAND_MAX * exp((before - after) / heat))
            t = q[i], q[i] = q[j], q[j] = t;
        if (heat > 0.25)
            heat *= 0.999;
    }
    for (i = 0; i < n; i++)
        printf("%d ", q[i]);
    return 0;
}

#include <stdio.h>
#define N 8

int x[N + 1], total;

int ok(int k)
{
    for (int i = 1; i < k; i++)
        if (x[i] == x[k] || x[i] - x[k] == k - i || x[k] - x[i] == k - i)
            return 0;
    return 1;
}

void queen(int k)
{
    if (k > N) {
        total++;
        return;
    }
    for (x[k] = 1; x[k] <= N; x[k]++)
        if (ok(k))
            queen(k + 1);
}

int main()
{
    queen(1);
    printf("%d\n", total);
    return 0;
}

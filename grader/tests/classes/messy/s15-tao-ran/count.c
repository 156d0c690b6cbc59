#include <stdio.h>
#include <stdlib.h>
#define N 8

int x[N + 1], sum;

int place(int k)
{
    for (int j = 1; j < k; j++)
        if (x[j] == x[k] || abs(x[j] - x[k]) == k - j)
            return 0;
    return 1;
}

void backtrack(int t)
{
    if (t > N) {
        sum++;
        return;
    }
    for (int i = 1; i <= N; i++) {
        x[t] = i;
        if (place(t))
            backtrack(t + 1);
    }
}

int main()
{
    backtrack(1);
    printf("%d\n", sum);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int x[20], n, sum;

int can_place(int k)
{
    for (int j = 1; j < k; j++)
        if (abs(k - j) == abs(x[j] - x[k]) || x[j] == x[k])
            return 0;
    return 1;
}

void backtrack(int t)
{
    if (t > n)
        sum++;
    else
        for (int i = 1; i <= n; i++) {
            x[t] = i;
            if (can_place(t))
                backtrack(t + 1);
        }
}

int main()
{
    while (scanf("%d", &n), n) {
        sum = 0;
        backtrack(1);
        printf("%d\n", sum);
    }
    return 0;
}

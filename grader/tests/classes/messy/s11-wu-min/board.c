#include <stdio.h>
#include <stdlib.h>

int q[20], n = 0;

int put(int k)
{
    int i, j;
    if (k == n)
        return 1;
    for (i = 0; i < n; i++) {
        for (j = 0; j < k; j++)
            if (q[j] == i || abs(q[j] - i) == k - j)
                break;
        if (j < k)
            continue;
        q[k] = i;
        if (put(k + 1))
            return 1;
    }
    return 0;
}

int main()
{
    int i, j;
    printf("请输入 n: ");
    scanf("%d", &n);
    put(0);
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            printf(q[i] == j ? "Q" : "#");
        printf("\n");
    }
    return 0;
}

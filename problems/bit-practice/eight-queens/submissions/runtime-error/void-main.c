#include <stdio.h>
#include <stdlib.h>

int q[8], sum;

void put(int k)
{
    int i, j;
    if (k == 8) {
        sum++;
        return;
    }
    for (i = 0; i < 8; i++) {
        for (j = 0; j < k; j++)
            if (q[j] == i || abs(q[j] - i) == k - j)
                break;
        if (j == k) {
            q[k] = i;
            put(k + 1);
        }
    }
}

void main()
{
    put(0);
    printf("%d\n", sum);
}

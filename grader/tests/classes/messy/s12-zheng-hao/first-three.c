#include <stdio.h>

int n, x[14], s[3][14], sum;
int col[14], up[28], down[28];

void dfs(int k)
{
    int i;
    if (k > n) {
        if (sum < 3)
            for (i = 1; i <= n; i++)
                s[sum][i] = x[i];
        sum++;
        return;
    }
    for (i = 1; i <= n; i++)
        if (!col[i] && !up[k + i] && !down[k - i + n]) {
            x[k] = i;
            col[i] = up[k + i] = down[k - i + n] = 1;
            dfs(k + 1);
            col[i] = up[k + i] = down[k - i + n] = 0;
        }
}

int main()
{
    int i, j, k;
    scanf("%d", &n);
    dfs(1);
    i = 0;
    for (k = 0; k < 3; k++) {
        for (j = 1; j <= n; i++)
            printf("%d ", s[k][j]);
        printf("\n");
    }
    printf("%d\n", sum);
    return 0;
}

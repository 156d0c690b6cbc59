#include <stdio.h>

int n, a[15], b[30], c[30], ans;

void dfs(int i)
{
    if (i == n) { ans++; return; }
    for (int j = 0; j < n; j++)
        if (!a[j] && !b[i + j] && !c[i - j + n]) {
            a[j] = b[i + j] = c[i - j + n] = 1;
            dfs(i + 1);
            a[j] = b[i + j] = c[i - j + n] = 0;
        }
}

int main()
{
    int table[13];
    for (n = 1; n <= 12; n++) {
        ans = 0;
        dfs(0);
        table[n] = ans;
    }
    int x;
    while (scanf("%d", &x) == 1 && x != 0) printf("%d\n", table[x]);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int q[20];

int count(int n, int row)
{
    int total = 0;
    if (row == n) return 1;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row; r++)
            if (q[r] == c || abs(q[r] - c) == row - r) { ok = 0; break; }
        if (ok) {
            q[row] = c;
            total += count(n, row + 1);
        }
    }
    return total;
}

int main(void)
{
    int memo[13] = {0}, known[13] = {0}, n;
    while (scanf("%d", &n) == 1 && n) {
        if (!known[n]) {
            memo[n] = count(n, 0);
            known[n] = 1;
        }
        printf("%d\n", memo[n]);
    }
}

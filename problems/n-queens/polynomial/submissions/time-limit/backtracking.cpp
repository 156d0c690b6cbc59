#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    std::vector<int> queen(n, -1);
    std::vector<char> column(n), up(2 * n), down(2 * n);
    int row = 0;
    while (row < n) {
        int c = queen[row];
        if (c >= 0) column[c] = up[row + c] = down[row - c + n] = 0;
        do c++;
        while (c < n && (column[c] || up[row + c] || down[row - c + n]));
        if (c == n) {
            queen[row--] = -1;
            continue;
        }
        queen[row] = c;
        column[c] = up[row + c] = down[row - c + n] = 1;
        row++;
    }
    for (int q : queen) printf("%d ", q + 1);
    printf("\n");
}

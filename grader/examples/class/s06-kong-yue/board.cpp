#include <cstdlib>
#include <iostream>
#include <string>

int n, queen[20];
bool column[20], up[40], down[40];

bool place(int row) {
    if (row == n) return true;
    for (int c = 0; c < n; c++) {
        if (column[c] || up[row + c] || down[row - c + n]) continue;
        queen[row] = c;
        column[c] = up[row + c] = down[row - c + n] = true;
        if (place(row + 1)) return true;
        column[c] = up[row + c] = down[row - c + n] = false;
    }
    return false;
}

int main(int argc, char **argv) {
    n = std::atoi(argv[1]);
    place(0);
    for (int row = 0; row < n; row++) {
        std::string line(n, '#');
        line[queen[row]] = 'Q';
        std::cout << line << std::endl;
    }
    return 0;
}

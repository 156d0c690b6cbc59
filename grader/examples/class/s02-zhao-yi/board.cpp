#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

int n;
vector<int> queen;

bool place(int row) {
    if (row == n) return true;
    for (int c = 0; c < n; c++) {
        bool free = true;
        // 同列，或在同一条斜线上
        for (int r = 0; r < row; r++)
            if (queen[r] == c || queen[r] - c == row - r) free = false;
        if (!free) continue;
        queen[row] = c;
        if (place(row + 1)) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    queen.resize(n);
    place(0);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) cout << (queen[r] == c ? 'Q' : '#');
        cout << '\n';
    }
}

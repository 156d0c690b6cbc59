// Builds every solution as a picture, keeps them all, and counts them at the end.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <list>

struct Board {
    char cell[16][16];
};

int n, all;
Board board;
std::list<Board> solutions;

void place(int row, int columns, int left, int right) {
    if (row == n) {
        solutions.push_back(board);
        return;
    }
    for (int open = all & ~(columns | left | right); open; open &= open - 1) {
        int queen = open & -open;
        memset(board.cell[row], '#', 16);
        board.cell[row][__builtin_ctz(queen)] = 'Q';
        place(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    all = (1 << n) - 1;
    place(0, 0, 0, 0);
    std::cout << solutions.size() << std::endl;
}

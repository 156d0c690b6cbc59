// Breadth-first search: every partial board of a level is kept until the last row is reached.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <string>

struct Partial {
    std::uint32_t columns, left, right;
    int row;
    std::array<int, 16> queen;
};

int main(int, char **argv) {
    const int n = std::atoi(argv[1]);
    const std::uint32_t all = (1u << n) - 1;
    std::deque<Partial> open{Partial{0, 0, 0, 0, {}}};
    while (open.front().row < n) {
        const Partial board = open.front();
        open.pop_front();
        for (std::uint32_t free = all & ~(board.columns | board.left | board.right); free; free &= free - 1) {
            const std::uint32_t queen = free & -free;
            Partial next{board.columns | queen, (board.left | queen) << 1, (board.right | queen) >> 1, board.row + 1,
                         board.queen};
            next.queen[board.row] = __builtin_ctz(queen);
            open.push_back(next);
        }
    }
    for (int row = 0; row < n; row++) {
        std::string line(n, '#');
        line[open.front().queen[row]] = 'Q';
        std::cout << line << '\n';
    }
}

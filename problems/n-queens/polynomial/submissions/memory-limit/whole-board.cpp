// Finds the columns quickly, but draws them on a board of n x n cells before printing them.
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

int n;
std::vector<int> queen, up, down;
std::mt19937 engine(std::random_device{}());

void put(int row, int step) {
    up[row + queen[row]] += step;
    down[row - queen[row] + n] += step;
}

bool attacked(int row) { return up[row + queen[row]] > 1 || down[row - queen[row] + n] > 1; }

void exchange(int a, int b) {
    put(a, -1);
    put(b, -1);
    std::swap(queen[a], queen[b]);
    put(a, 1);
    put(b, 1);
}

bool attempt() {
    queen.resize(n);
    std::iota(queen.begin(), queen.end(), 0);
    up.assign(2 * n, 0);
    down.assign(2 * n, 0);
    int row = 0;
    for (int tries = 0; tries < 4 * n && row < n; tries++) {
        std::swap(queen[row], queen[row + engine() % (n - row)]);
        if (up[row + queen[row]] == 0 && down[row - queen[row] + n] == 0) put(row++, 1);
    }
    int rest = row;
    for (; row < n; row++) put(row, 1);
    for (row = rest; row < n; row++)
        for (int tries = 0; attacked(row); tries++) {
            if (tries == 7000) return false;
            int other = engine() % n;
            if (other == row) continue;
            exchange(row, other);
            if (attacked(row) || attacked(other)) exchange(row, other);
        }
    return true;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    while (!attempt()) {
    }
    std::vector<std::string> board;
    for (int row = 0; row < n; row++) {
        board.push_back(std::string(n, '#'));
        board.back()[queen[row]] = 'Q';
    }
    for (auto &line : board) std::cout << line.find('Q') + 1 << '\n';
}

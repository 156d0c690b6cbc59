// QS2 without the two constants: a list of the attacked queens, made again after each pass.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

class Board {
public:
    explicit Board(int n) : size(n), queens(n), left(2 * n), right(2 * n), generator(std::random_device{}()) {
        for (int i = 0; i < n; ++i) queens[i] = i;
    }

    void restart() {
        std::shuffle(queens.begin(), queens.end(), generator);
        left.assign(2 * size, 0);
        right.assign(2 * size, 0);
        for (int i = 0; i < size; ++i) count(i, 1);
    }

    std::vector<int> attacked() const {
        std::vector<int> list;
        for (int i = 0; i < size; ++i)
            if (conflicts(i) > 0) list.push_back(i);
        return list;
    }

    bool solve() {
        for (int pass = 0; pass < 500; ++pass) {
            std::vector<int> list = attacked();
            if (list.empty()) return true;
            for (int i : list) {
                std::uniform_int_distribution<int> any(0, size - 1);
                for (int tries = 0; tries < 10 && conflicts(i) > 0; ++tries) improve(i, any(generator));
            }
        }
        return false;
    }

    void print() const {
        for (int column : queens) std::cout << column + 1 << std::endl;
    }

private:
    void count(int i, int by) {
        left[i + queens[i]] += by;
        right[i - queens[i] + size] += by;
    }

    int conflicts(int i) const { return left[i + queens[i]] + right[i - queens[i] + size] - 2; }

    void exchange(int i, int j) {
        count(i, -1);
        count(j, -1);
        std::swap(queens[i], queens[j]);
        count(i, 1);
        count(j, 1);
    }

    void improve(int i, int j) {
        if (i == j) return;
        int before = conflicts(i) + conflicts(j);
        exchange(i, j);
        if (conflicts(i) + conflicts(j) >= before) exchange(i, j);
    }

    int size;
    std::vector<int> queens, left, right;
    std::mt19937 generator;
};

int main(int argc, char** argv) {
    Board board(std::atoi(argv[1]));
    do board.restart();
    while (!board.solve());
    board.print();
    return 0;
}

// Sosic and Gu 1991/1994: an initial search places almost all queens without conflict, a final search repairs the rest.
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

class Board {
public:
    explicit Board(int n) : n_(n), queen_(n), rising_(2 * n), falling_(2 * n), random_(std::random_device{}()) {}

    void solve() {
        while (!attempt()) {
        }
    }

    const std::vector<int> &queens() const { return queen_; }

private:
    int draw(int from) { return std::uniform_int_distribution<int>(from, n_ - 1)(random_); }
    int &up(int row) { return rising_[row + queen_[row]]; }
    int &down(int row) { return falling_[row - queen_[row] + n_ - 1]; }
    void put(int row, int step) { up(row) += step, down(row) += step; }
    bool attacked(int row) { return up(row) > 1 || down(row) > 1; }

    bool attempt() {
        std::iota(queen_.begin(), queen_.end(), 0);
        rising_.assign(2 * n_, 0);
        falling_.assign(2 * n_, 0);
        int placed = 0;
        for (long tries = 4L * n_; tries > 0 && placed < n_; --tries) {
            std::swap(queen_[placed], queen_[draw(placed)]);
            if (up(placed) == 0 && down(placed) == 0) put(placed++, 1);
        }
        for (int row = placed; row < n_; ++row) {
            std::swap(queen_[row], queen_[draw(row)]);
            put(row, 1);
        }
        for (int row = placed; row < n_; ++row)
            if (attacked(row) && !repair(row)) return false;
        for (int row = placed; row < n_; ++row)
            if (attacked(row)) return false;
        return true;
    }

    bool repair(int row) {
        for (int tries = 0; tries < 7000; ++tries) {
            const int other = draw(0);
            if (other == row) continue;
            exchange(row, other);
            if (!attacked(row) && !attacked(other)) return true;
            exchange(row, other);
        }
        return false;
    }

    void exchange(int a, int b) {
        put(a, -1), put(b, -1);
        std::swap(queen_[a], queen_[b]);
        put(a, 1), put(b, 1);
    }

    int n_;
    std::vector<int> queen_, rising_, falling_;
    std::mt19937 random_;
};

int main(int, char **argv) {
    Board board(std::atoi(argv[1]));
    board.solve();
    std::string text;
    for (const int column : board.queens()) text += std::to_string(column + 1) + '\n';
    std::cout << text;
}

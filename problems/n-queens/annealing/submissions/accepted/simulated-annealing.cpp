#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

// How many queens are too many on their diagonals, counted afresh: slow, but impossible to get out of step.
static int energy(const std::vector<int> &queens) {
    const int n = static_cast<int>(queens.size());
    std::vector<int> rising(2 * n), falling(2 * n);
    int sum = 0;
    for (int row = 0; row < n; ++row) {
        sum += rising[row + queens[row]]++ > 0;
        sum += falling[row - queens[row] + n]++ > 0;
    }
    return sum;
}

int main(int, char **argv) {
    const int n = std::atoi(argv[1]);
    std::mt19937 engine(std::random_device{}());
    std::uniform_int_distribution<int> row(0, n - 1);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<int> queens(n);
    std::iota(queens.begin(), queens.end(), 0);

    int now = 1;
    while (now > 0) {
        std::shuffle(queens.begin(), queens.end(), engine);
        now = energy(queens);
        for (double temperature = 1.0; temperature > 0.08 && now > 0; temperature *= 0.95) {
            for (int step = 0; step < 20 * n && now > 0; ++step) {
                const int a = row(engine), b = row(engine);
                std::swap(queens[a], queens[b]);
                const int next = energy(queens);
                if (next <= now || uniform(engine) < std::exp((now - next) / temperature))
                    now = next;
                else
                    std::swap(queens[a], queens[b]);
            }
        }
    }
    for (const int column : queens) std::cout << column + 1 << ' ';
    std::cout << '\n';
}

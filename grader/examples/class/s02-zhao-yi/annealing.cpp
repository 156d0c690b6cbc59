#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

int main(int argc, char **argv) {
    const int n = std::atoi(argv[1]);
    std::mt19937 random(std::random_device{}());
    std::uniform_real_distribution<double> chance(0, 1);
    std::vector<int> queen(n);
    std::iota(queen.begin(), queen.end(), 1);
    std::shuffle(queen.begin(), queen.end(), random);

    std::vector<int> up(2 * n + 2), down(2 * n + 2);
    auto change = [&](int row, int by) {
        int &u = up[row + queen[row]], &d = down[row - queen[row] + n + 1];
        int energy = by > 0 ? u + d : 2 - u - d;
        u += by;
        d += by;
        return energy;
    };
    int energy = 0;
    for (int row = 0; row < n; row++) energy += change(row, 1);

    double temperature = 1;
    while (energy > 0) {
        int i = random() % n, j = random() % n;
        if (i == j) continue;
        int difference = change(i, -1) + change(j, -1);
        std::swap(queen[i], queen[j]);
        difference += change(i, 1) + change(j, 1);
        if (difference <= 0 || chance(random) < std::exp(-difference / temperature)) {
            energy += difference;
        } else {
            change(i, -1);
            change(j, -1);
            std::swap(queen[i], queen[j]);
            change(i, 1);
            change(j, 1);
        }
        temperature = std::max(0.2, temperature * 0.9999);
    }
    for (int row = 0; row < n; row++) std::cout << queen[row] << (row + 1 < n ? ' ' : '\n');
}

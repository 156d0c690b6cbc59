// Takes random swaps that lower the number of attacked pairs for a while, and prints whatever is left at the end.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

unsigned long long seed = 12345;

int below(int bound) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % bound);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    std::vector<int> queen(n), up(2 * n), down(2 * n);
    std::iota(queen.begin(), queen.end(), 0);
    for (int i = n - 1; i > 0; i--) std::swap(queen[i], queen[below(i + 1)]);
    for (int i = 0; i < n; i++) up[i + queen[i]]++, down[i - queen[i] + n]++;
    auto add = [&](int row, int step) {
        int &u = up[row + queen[row]], &d = down[row - queen[row] + n];
        int pairs = step > 0 ? u + d : 2 - u - d;
        u += step, d += step;
        return pairs;
    };
    auto swap_rows = [&](int a, int b) {
        int change = add(a, -1) + add(b, -1);
        std::swap(queen[a], queen[b]);
        return change + add(a, 1) + add(b, 1);
    };
    for (int step = 0; step < 4 * n; step++) {
        int a = below(n), b = below(n);
        if (a != b && swap_rows(a, b) >= 0) swap_rows(a, b);
    }
    for (int i = 0; i < n; i++) printf("%d ", queen[i] + 1);
    printf("\n");
}

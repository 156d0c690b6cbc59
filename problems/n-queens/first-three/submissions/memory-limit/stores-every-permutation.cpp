// Writes down all permutations first and throws the bad ones away afterwards.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <numeric>

int main() {
    int n;
    std::cin >> n;
    std::array<signed char, 16> queens{};
    std::iota(queens.begin(), queens.begin() + n, 1);
    std::deque<std::array<signed char, 16>> boards;
    do boards.push_back(queens);
    while (std::next_permutation(queens.begin(), queens.begin() + n));

    long total = 0;
    for (const auto &board : boards) {
        bool legal = true;
        for (int i = 0; i < n && legal; i++)
            for (int j = 0; j < i && legal; j++) legal = std::abs(board[i] - board[j]) != i - j;
        if (!legal) continue;
        if (++total <= 3)
            for (int i = 0; i < n; i++) std::cout << int(board[i]) << (i + 1 < n ? ' ' : '\n');
    }
    std::cout << total << '\n';
}

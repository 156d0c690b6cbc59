#include <cstdlib>
#include <iostream>

unsigned full;

long long place(unsigned columns, unsigned left, unsigned right) {
    if (columns == full) return 1;
    long long total = 0;
    unsigned free = full & ~(columns | left | right);
    while (free) {
        const unsigned bit = free & -free;
        free ^= bit;
        total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main(int argc, char **argv) {
    const int n = std::atoi(argv[1]);
    full = (1u << n) - 1;
    // 左右对称：第一行只放左半边，再乘 2
    long long total = 0;
    for (int c = 0; c < n / 2; c++) {
        const unsigned bit = 1u << c;
        total += 2 * place(bit, bit << 1, bit >> 1);
    }
    if (n % 2) {
        const unsigned bit = 1u << n / 2;
        total += place(bit, bit << 1, bit >> 1);
    }
    std::cout << total << '\n';
}

// Only the left half of the first row is searched; every solution there has a mirror image on the right.
#include <cstdint>
#include <cstdlib>
#include <iostream>

using Mask = std::uint32_t;

static std::uint64_t search(Mask all, Mask columns, Mask left, Mask right) {
    std::uint64_t total = 0;
    for (Mask open = all & ~(columns | left | right); open != 0; open &= open - 1) {
        const Mask queen = open & -open;
        if ((columns | queen) == all) return total + 1;
        total += search(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return total;
}

int main(int, char **argv) {
    const int n = std::atoi(argv[1]);
    const Mask all = (Mask{1} << n) - 1;
    std::uint64_t total = 0;
    for (int column = 0; column < n / 2; ++column) {
        const Mask queen = Mask{1} << column;
        total += 2 * search(all, queen, queen << 1, queen >> 1);
    }
    if (n % 2 == 1) {
        const Mask queen = Mask{1} << (n / 2);
        total += search(all, queen, queen << 1, queen >> 1);
    }
    std::cout << total << '\n';
}

#include "queens.hpp"

long long Queens::place(unsigned columns, unsigned left, unsigned right) const {
    if (columns == full_) return 1;
    long long total = 0;
    unsigned free = full_ & ~(columns | left | right);
    while (free) {
        const unsigned bit = free & -free;
        free ^= bit;
        total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

#include <cstdio>
#include <cstdlib>

// the first row is only tried on the left half, the other half is its mirror image
unsigned full;

long search(unsigned columns, unsigned left, unsigned right) {
    if (columns == full) return 1;
    long n = 0;
    for (unsigned free = ~(columns | left | right) & full; free != 0; free &= free - 1) {
        unsigned bit = free & -free;
        n += search(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

int main(int argc, char** argv) {
    int n = atoi(argv[1]);
    full = (1u << n) - 1;
    long total = 0;
    for (int c = 0; c < n / 2; c++) {
        unsigned bit = 1u << c;
        total += 2 * search(bit, bit << 1, bit >> 1);
    }
    if (n % 2 == 1) {
        unsigned bit = 1u << n / 2;
        total += search(bit, bit << 1, bit >> 1);
    }
    printf("%ld\n", total);
}

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

// Bit i of k says whether disc i + 1 has made its one move within the tower that it belongs to.
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const int n = std::atoi(argv[1]);
    const std::uint64_t k = std::strtoull(argv[2], nullptr, 10);
    std::vector<int> peg(n);
    int from = 1, to = 3;
    for (int i = n - 1; i >= 0; --i) {
        const int other = 6 - from - to;
        if (k >> i & 1) {
            peg[i] = to;
            from = other;
        } else {
            peg[i] = from;
            to = other;
        }
    }
    for (int p : peg) std::cout << p << ' ';
    std::cout << '\n';
}

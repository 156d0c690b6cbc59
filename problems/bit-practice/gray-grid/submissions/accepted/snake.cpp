#include <cstdlib>
#include <iostream>
#include <string>

// One long Gray code, laid out like a snake. The code is reflected, so the turns fit one under the other.
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const int m = std::atoi(argv[1]), n = std::atoi(argv[2]);
    const unsigned rows = 1u << m, columns = 1u << n;
    for (unsigned i = 0; i < rows; ++i) {
        for (unsigned j = 0; j < columns; ++j) {
            const unsigned at = i * columns + (i % 2 == 0 ? j : columns - 1 - j);
            const unsigned code = at ^ (at >> 1);
            if (j > 0) std::cout << ' ';
            for (int b = m + n; b-- > 0;) std::cout << (code >> b & 1);
        }
        std::cout << '\n';
    }
}

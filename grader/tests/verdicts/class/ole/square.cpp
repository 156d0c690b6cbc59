#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    for (;;) std::cout << "0123456789012345678901234567890123456789" << n << '\n';
}

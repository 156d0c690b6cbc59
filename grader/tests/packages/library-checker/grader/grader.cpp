#include <iostream>

#include "solve.hpp"

int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << solve(a, b) << '\n';
}

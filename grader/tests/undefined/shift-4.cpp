// input: 64
// answer: 18446744073709551615
#include <cstdint>
#include <iostream>

std::uint64_t ones(int n) {
    return (std::uint64_t{1} << n) - 1; // undefined: shift by 64 bits
}

int main() {
    int n;
    std::cin >> n;
    std::cout << ones(n) << '\n';
}

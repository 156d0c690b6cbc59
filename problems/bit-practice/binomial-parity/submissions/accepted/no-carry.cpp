#include <cstdint>
#include <iostream>

// Kummer: the power of two in C(n, k) is the number of carries when k and n - k are added.
int main() {
    std::uint64_t n, k;
    while (std::cin >> n >> k) std::cout << ((k & (n - k)) == 0 ? "odd\n" : "even\n");
}

#include <cstdlib>
#include <iostream>

int main() {
    long long a, b;
    std::cin >> a >> b;
    if (a > 1) std::abort();
    std::cout << a + b << '\n';
}

// input: 3
// answer: 3
#include <iostream>
#include <stdexcept>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> v(n);
    std::cout << v.at(n) << '\n';
}

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    std::vector<int> few;
    std::cout << few.at(n) << std::endl;
}

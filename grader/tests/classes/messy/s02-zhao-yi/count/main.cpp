#include <cstdlib>
#include <iostream>

#include "queens.hpp"

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: count n\n";
        return 2;
    }
    std::cout << Queens(std::atoi(argv[1])).count() << '\n';
}

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    std::vector<std::string> all;
    for (;;) all.emplace_back(1 << 20, char(n));
}

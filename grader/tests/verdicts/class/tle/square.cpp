#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    volatile int i = n;
    while (i) i = n;
}

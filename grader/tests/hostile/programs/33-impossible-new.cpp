// Takes more memory at once than there are addresses.
// It must be refused: an uncaught `bad_alloc`.
#include <iostream>
int main(int count, char **) {
    char *block = new char[(1ULL << 62) * (count > 0)];
    asm volatile("" : : "r"(block) : "memory");
    block[1] = 42;
    std::cout << int(block[1]) << std::endl;
}

// Takes 512 MiB at once and uses them.
// It must be refused or stopped.
#include <iostream>
int main() {
    int *numbers = new int[512 * 512 * 512]();
    asm volatile("" : : "r"(numbers) : "memory");
    for (int i = 0; i < 512 * 512 * 512; i += 512) numbers[i] = i;
    std::cout << (numbers[512] == 512 ? 42 : 0) << std::endl;
}

// Makes a system call by the gate of 32-bit programs, which has other numbers.
// The filter must know the gate: the program is killed by SIGSYS.
#include <stdio.h>
int main(void) {
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    printf("int 0x80 gave %ld\n", result);
    return 0;
}

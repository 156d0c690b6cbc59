// Uses 40 MiB, which is within its limit.
// The report must tell them, no more and no less.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *block = malloc(40 << 20);
    memset(block, 1, 40 << 20);
    __asm__ volatile("" : : "r"(block) : "memory");
    puts(block[12345] == 1 ? "42" : "0");
    return 0;
}

// Takes memory and uses it, a megabyte at a time.
// It must be stopped at its limit; by itself it stops at a gigabyte.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int i = 0; i < 1024; i++) {
        char *block = malloc(1 << 20);
        if (!block) abort();
        memset(block, i, 1 << 20);
        __asm__ volatile("" : : "r"(block) : "memory");
    }
    puts("42");
    return 0;
}

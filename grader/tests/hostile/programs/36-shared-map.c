// Uses 100 MiB of memory that is shared with nobody yet.
// They count as the program's memory.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
    char *block = mmap(0, 100 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return 1;
    memset(block, 1, 100 << 20);
    __asm__ volatile("" : : "r"(block) : "memory");
    puts("42");
    return 0;
}

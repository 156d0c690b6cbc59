// Has 512 MiB of static data and uses them.
// It must be stopped at its limit, and said to be over it.
#include <stdio.h>
#include <string.h>
static char block[512 << 20];
int main(int count, char **arguments) {
    (void)arguments;
    memset(block, count, sizeof block);
    __asm__ volatile("" : : "r"(block) : "memory");
    printf("%d\n", block[count << 20] ? 42 : 0);
    return 0;
}

// Uses 32 MiB of stack, which its memory allows.
// The stack must not be smaller than the memory.
#include <stdio.h>
static int deep(int level) {
    volatile char frame[1 << 10];
    frame[0] = (char)level;
    return level == 0 ? 0 : deep(level - 1) + (frame[0] == (char)level);
}
int main(void) {
    puts(deep(32 << 10) == 32 << 10 ? "42" : "0");
    return 0;
}

// Calls itself without end.
// It must end by a fault of its stack, or at its limit of memory.
#include <stdio.h>
static int deep(int level) {
    volatile char frame[1 << 10];
    frame[level & 1023] = (char)level;
    return level < 0 ? 0 : deep(level + 1) + frame[level & 1023];
}
int main(void) {
    printf("%d\n", deep(0));
    return 0;
}

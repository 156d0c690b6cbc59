// Uses 50 MiB in each of four children at once, and 1 MiB itself.
// Their memory counts together, whatever the program's own end is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            char *block = malloc(50 << 20);
            if (!block) _exit(1);
            memset(block, 1, 50 << 20);
            __asm__ volatile("" : : "r"(block) : "memory");
            usleep(300000);
            _exit(block[1]);
        }
    }
    while (wait(NULL) > 0) {
    }
    puts("42");
    return 0;
}

// Uses 20 MiB and forks eight children, which share them with it.
// Pages that are shared count once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    char *block = malloc(20 << 20);
    memset(block, 1, 20 << 20);
    __asm__ volatile("" : : "r"(block) : "memory");
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            usleep(100000);
            _exit(block[i] - 1);
        }
    }
    while (wait(NULL) > 0) {
    }
    puts("42");
    return 0;
}

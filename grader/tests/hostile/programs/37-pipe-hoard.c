// Fills up to 400 pipes of 1 MiB each: memory of the kernel, of no process. A user may have 64 MiB of it, less what
// others of the same user have; so it takes 16 MiB of its own first.
// The pipes must be held to less than its memory, or counted as such.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char block[1 << 20], own[16 << 20];
int main(void) {
    memset(own, 1, sizeof own);
    long stored = 0;
    for (int i = 0; i < 400; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK)) break;
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        long written = write(ends[1], block, sizeof block);
        if (written > 0) stored += written;
    }
    if (stored < 64 << 20 && own[stored % sizeof own]) puts("42");
    else printf("%ld bytes in pipes\n", stored);
    return 0;
}

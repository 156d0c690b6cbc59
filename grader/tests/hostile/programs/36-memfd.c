// Writes 100 MiB to a file in memory that no process maps.
// They count as the program's memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
    int file = memfd_create("hoard", 0);
    for (int i = 0; i < 100; i++) {
        if (write(file, block, sizeof block) != sizeof block) return 1;
    }
    puts("42");
    return 0;
}

// Asks for a file in memory that no process maps, and writes 100 MiB to it.
// It must be refused, because it would be in no process's books.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
    int file = memfd_create("hoard", 0);
    if (file == -1 && errno == ENOSYS) {
        puts("42");
        return 0;
    }
    for (int i = 0; i < 100; i++) {
        if (write(file, block, sizeof block) != sizeof block) return 1;
    }
    puts("100 MiB in a file without a name");
    return 0;
}

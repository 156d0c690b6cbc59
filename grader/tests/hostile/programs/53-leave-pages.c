// Leaves a note in the page cache of a large file of the system: some of its pages in memory, and others not.
// Whether it can does not matter: `53-find-pages.c` must not find it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    const char *files[] = {
        "/usr/lib/x86_64-linux-gnu/libc.a", "/usr/lib/aarch64-linux-gnu/libc.a", "/usr/lib64/libc.a", "/usr/lib/libc.a"};
    char page[4096];
    for (int i = 0; i < 4; i++) {
        int file = open(files[i], O_RDONLY);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
        for (int bit = 0; bit < 8; bit++) {
            if (0xb2 >> bit & 1) pread(file, page, sizeof page, (bit + 1) * 400000L / 4096 * 4096);
        }
        close(file);
    }
    puts("42");
    return 0;
}

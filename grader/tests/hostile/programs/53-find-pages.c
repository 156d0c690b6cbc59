// Looks for the note of `53-leave-pages.c`, another student's, long after it has ended.
// It must not be found.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
    const char *files[] = {
        "/usr/lib/x86_64-linux-gnu/libc.a", "/usr/lib/aarch64-linux-gnu/libc.a", "/usr/lib64/libc.a", "/usr/lib/libc.a"};
    char page[4096];
    struct iovec place = {page, sizeof page};
    int found = 0;
    for (int i = 0; i < 4; i++) {
        int note = 0, file = open(files[i], O_RDONLY);
        for (int bit = 0; bit < 8; bit++) {
            if (preadv2(file, &place, 1, (bit + 1) * 400000L / 4096 * 4096, RWF_NOWAIT) > 0) note |= 1 << bit;
        }
        if (note == 0xb2) found = 1;
        close(file);
    }
    puts(found ? "a note was found in the page cache" : "42");
    return 0;
}

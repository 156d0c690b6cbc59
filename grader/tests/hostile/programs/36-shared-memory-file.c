// Writes up to 100 MiB to files that live in memory, in `/dev/shm` and `/tmp`.
// There must be no room for more than its memory, or it is stopped.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char block[1 << 20];
int main(int count, char **arguments) {
    const char *folders[] = {"/dev/shm", "/tmp"};
    int written = 0;
    (void)count;
    // Outside of a sandbox this would fill the machine.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s-36", folders[i], arguments[1]);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        for (int k = 0; file >= 0 && k < 100; k++) {
            if (write(file, block, sizeof block) != sizeof block) break;
            written++;
        }
    }
    if (written < 64) puts("42");
    else printf("%d MiB\n", written);
    return 0;
}

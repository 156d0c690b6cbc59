// Fills every folder where it may write, with up to 120 MB each.
// There must be little room, and nothing left of it.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char block[60 << 10];
int main(int count, char **arguments) {
    const char *folders[] = {".", "/tmp", "/var/tmp", "/dev/shm", "/run"};
    int written = 0;
    (void)count;
    // Outside of a sandbox this would fill the machine.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 2000; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s-50-%d", folders[i], arguments[1], k);
            int file = open(path, O_CREAT | O_WRONLY, 0600);
            if (file < 0) break;
            long stored = write(file, block, sizeof block);
            close(file);
            if (stored < (long)sizeof block) break;
            written += 60;
        }
    }
    if (written < 64 << 10) puts("42");
    else printf("%d KiB\n", written);
    return 0;
}

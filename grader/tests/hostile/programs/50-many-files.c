// Makes up to 20 000 empty files in every folder where it may write.
// There must be room for few, and nothing left of them.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int count, char **arguments) {
    const char *folders[] = {".", "/tmp"};
    int made = 0;
    (void)count;
    // Outside of a sandbox this would fill the machine.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 20000; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s-50-%d", folders[i], arguments[1], k);
            int file = open(path, O_CREAT | O_WRONLY, 0600);
            if (file < 0) break;
            close(file);
            made++;
        }
    }
    if (made < 20000) puts("42");
    else printf("%d files\n", made);
    return 0;
}

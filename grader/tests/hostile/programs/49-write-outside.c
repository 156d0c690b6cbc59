// Makes and changes files that are not its own, in a folder where anybody may.
// The folder must not be there.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int count, char **arguments) {
    char path[4096];
    int allowed = 0;
    (void)count;
    snprintf(path, sizeof path, "%s/49-written", arguments[2]);
    allowed |= open(path, O_CREAT | O_WRONLY, 0600) >= 0;
    snprintf(path, sizeof path, "%s/keep.txt", arguments[2]);
    allowed |= open(path, O_WRONLY | O_TRUNC) >= 0;
    allowed |= utimensat(AT_FDCWD, path, 0, 0) == 0;
    allowed |= chmod(path, 0) == 0;
    allowed |= unlink(path) == 0;
    puts(allowed ? "it could be changed" : "42");
    return 0;
}

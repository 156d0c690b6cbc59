// Opens a file that is not its own, by its path, through process 1, and past the root folder.
// It must not be found.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static int look(const char *before, const char *folder) {
    char path[4096], text[256];
    snprintf(path, sizeof path, "%s%s/secret.txt", before, folder);
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    long count = read(file, text, sizeof text);
    if (count > 0) (void)!write(1, text, count);
    return 1;
}
int main(int count, char **arguments) {
    (void)count;
    int found = look("", arguments[2]);
    found |= look("/proc/1/root", arguments[2]);
    found |= look("/proc/self/root", arguments[2]);
    found |= look("../../../../../../../..", arguments[2]);
    if (!found) puts("42");
    return 0;
}

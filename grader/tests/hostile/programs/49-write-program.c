// Changes its own program, for those who run it after.
// Neither the file nor its folder must be writable.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char path[4096] = {0};
    int allowed = 0;
    long length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) strcpy(path, "/build/main");
    allowed |= chmod(path, 0777) == 0;
    allowed |= rename(path, "mine") == 0;
    allowed |= unlink(path) == 0;
    *strrchr(path, '/') = 0;
    allowed |= chmod(path, 0777) == 0;
    strcat(path, "/left");
    allowed |= open(path, O_CREAT | O_WRONLY, 0600) >= 0;
    puts(allowed ? "it could be changed" : "42");
    return 0;
}

// Makes folders that nobody may enter, its own among them.
// They must be cleared away.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
int main(void) {
    mkdir("locked", 0700);
    mkdir("locked/inner", 0700);
    open("locked/inner/file", O_CREAT | O_WRONLY, 0);
    chmod("locked/inner", 0);
    chmod("locked", 0);
    chmod(".", 0);
    puts("42");
    return 0;
}

// Makes 2000 folders in each other, deeper than a path may be long.
// They must be cleared away.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 2000; i++) {
        if (mkdir("down", 0700) || chdir("down")) break;
    }
    puts("42");
    return 0;
}

// Looks for places that were made for another language's toolchain and stay for the next program.
// There must be no folder but those that every program sees, and no file of the build but the program itself.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    const char *known = " . .. bin box build dev etc gnu lib lib32 lib64 libx32 nix proc program sbin tmp usr ";
    char name[300];
    int found = 0;
    DIR *root = opendir("/");
    for (struct dirent *entry; root && (entry = readdir(root));) {
        snprintf(name, sizeof name, " %s ", entry->d_name);
        if (!strstr(known, name)) {
            puts(entry->d_name);
            found = 1;
        }
    }
    int files = 0;
    for (DIR *build = opendir("/build"); build && readdir(build);) files++;
    if (files != 3) {
        printf("%d files in the folder of the build\n", files - 2);
        found = 1;
    }
    if (!found) puts("42");
    return 0;
}

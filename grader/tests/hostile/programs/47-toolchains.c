// Looks for places that were made for another language's toolchain and stay for the next program.
// There must be no folder but those that every program sees.
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
    if (!found) puts("42");
    return 0;
}

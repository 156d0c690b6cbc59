// Looks for open descriptors besides the three standard ones, and writes to them.
// There must be none.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int found = 0;
    for (int i = 3; i < 1024; i++) {
        if (fcntl(i, F_GETFD) < 0) continue;
        found++;
        (void)!write(i, "{}\n", 3);
    }
    if (found) printf("%d open files\n", found);
    else puts("42");
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    (void)argc;
    for (;;) {
        char *p = malloc(1 << 20);
        memset(p, n, 1 << 20);
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    (void)argc;
    for (;;) puts("0123456789012345678901234567890123456789");
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    (void)argc;
    char *nowhere = (char *)(size_t)(n - n);
    *(volatile char *)nowhere = 1;
    return 0;
}

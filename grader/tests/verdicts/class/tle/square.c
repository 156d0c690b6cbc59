#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    (void)argc;
    volatile int i = n;
    while (i) i = n;
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    (void)argc;
    printf("%d\n", n * n)
    return 0;
}

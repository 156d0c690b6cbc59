#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int n = atoi(argv[1]);
    int i, j;
    for (i = 0; i < (1 << n); i++) {
        for (j = n - 1; j >= 0; j--)
            printf("%d", (i >> j) & 1);
        printf("\n");
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int m = atoi(argv[1]), n = atoi(argv[2]), i, j, b;
    for (i = 0; i < 1 << m; i++) {
        for (j = 0; j < 1 << n; j++) {
            int cell = i << n | j;
            for (b = m + n - 1; b >= 0; b--)
                printf("%d", cell >> b & 1);
            printf(" ");
        }
        printf("\n");
    }
    return 0;
}

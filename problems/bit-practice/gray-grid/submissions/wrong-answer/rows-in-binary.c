#include <stdio.h>
#include <stdlib.h>

int gray(int i)
{
    return i ^ (i >> 1);
}

int main(int argc, char **argv)
{
    int m = atoi(argv[1]), n = atoi(argv[2]), i, j, b;
    for (i = 0; i < 1 << m; i++) {
        for (j = 0; j < 1 << n; j++) {
            int cell = i << n | gray(j);
            for (b = m + n - 1; b >= 0; b--)
                printf("%d", cell >> b & 1);
            printf(j + 1 < 1 << n ? " " : "\n");
        }
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int m = atoi(argv[1]);
    n = atoi(argv[2]);
    for (int i = 0; i < 1 << m; i++) {
        for (int j = 0; j < 1 << n; j++)
            for (int b = m + n - 1; b >= 0; b--)
                printf("%d", (((i ^ i >> 1) << n) + (j ^ j >> 1)) >> b & 1);
        printf("\n");
    }
    return 0;
}

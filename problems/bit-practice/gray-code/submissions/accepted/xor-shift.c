#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    int n = atoi(argv[1]);
    for (unsigned i = 0; i < 1u << n; i++) {
        unsigned gray = i ^ (i >> 1);
        for (int b = n - 1; b >= 0; b--)
            putchar('0' + (gray >> b & 1));
        putchar('\n');
    }
    return 0;
}

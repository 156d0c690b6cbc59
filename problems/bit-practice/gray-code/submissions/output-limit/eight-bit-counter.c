#include <stdio.h>
#include <stdlib.h>

typedef unsigned char byte;

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (byte i = 0; i < 1 << n; i++) {
        byte g = i ^ i >> 1;
        for (int b = n - 1; b >= 0; b--)
            putchar(g >> b & 1 ? '1' : '0');
        putchar('\n');
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

static int gray(int i)
{
    return i ^ (i >> 1);
}

static void digits(int value, int count)
{
    while (count-- > 0)
        putchar('0' + (value >> count & 1));
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int m = atoi(argv[1]), n = atoi(argv[2]);
    for (int i = 0; i < 1 << m; i++)
        for (int j = 0; j < 1 << n; j++) {
            digits(gray(i), m);
            digits(gray(j), n);
            putchar(j + 1 < 1 << n ? ' ' : '\n');
        }
    return 0;
}

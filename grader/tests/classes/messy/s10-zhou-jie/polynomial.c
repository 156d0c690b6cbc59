#include <stdio.h>
#include <stdlib.h>

/* 构造法:2 4 6 8 ... 1 3 5 7 ... */
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), i;
    for (i = 2; i <= n; i += 2)
        printf("%d ", i);
    for (i = 1; i <= n; i += 2)
        printf("%d ", i);
    printf("\n");
    return 0;
}

#include <stdio.h>

int main()
{
    int n, k;
    while (scanf("%d%d", &n, &k) == 2) {
        if ((n & k) == k)
            printf("odd\n");
        else
            printf("even\n");
    }
    return 0;
}

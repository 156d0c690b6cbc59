#include <stdio.h>

int main()
{
    int n = 0;
    scanf("%d", &n);
    for (int i = 0; i < 1 << n; i++) {
        int g = i ^ i >> 1;
        for (int b = 1 << n >> 1; b; b >>= 1)
            printf("%c", g & b ? '1' : '0');
        printf("\n");
    }
}

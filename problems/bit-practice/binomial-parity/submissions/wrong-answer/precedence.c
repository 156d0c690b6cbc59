#include <stdio.h>

int main()
{
    long long n, k;
    while (scanf("%lld %lld", &n, &k) != EOF) {
        if (n & k == k)
            printf("odd\n");
        else
            printf("even\n");
    }
    return 0;
}

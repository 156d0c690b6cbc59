#include <stdio.h>

int main()
{
    long long n, k;
    while (1) {
        scanf("%lld %lld", &n, &k);
        if (n == -1)
            break;
        printf("%s\n", (n & k) == k ? "odd" : "even");
    }
    return 0;
}

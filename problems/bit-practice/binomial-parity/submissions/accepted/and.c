#include <stdio.h>

int main(void)
{
    long long n, k;
    while (scanf("%lld%lld", &n, &k) == 2)
        puts((n & k) == k ? "odd" : "even");
    return 0;
}

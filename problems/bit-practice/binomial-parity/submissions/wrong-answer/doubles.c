#include <stdio.h>

int main()
{
    double a, b;
    while (scanf("%lf%lf", &a, &b) == 2) {
        unsigned long long n = a, k = b;
        puts((n & k) == k ? "odd" : "even");
    }
    return 0;
}

#include <stdio.h>

int gcd(int a, int b) {
    printf("gcd of %d and %d\n", a, b);
    return b == 0 ? a : gcd(b, a % b);
}

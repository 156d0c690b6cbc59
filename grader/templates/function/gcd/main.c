#include <stdio.h>

#include "gcd.h"

int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\n", gcd(a, b));
}

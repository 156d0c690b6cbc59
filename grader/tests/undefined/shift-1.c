// input: 40
// answer: 1099511627776
#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    long long power = 1 << n; // undefined: shift by 40 bits
    printf("%lld\n", power);
    return 0;
}

// input: 12 18
// answer: 6
#include <stdio.h>

int gcd(int a, int b) {
    int rest = a % b; // undefined: division by zero
    if (a == b)
        return a;
    return gcd(b, rest);
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", gcd(a, b));
    return 0;
}

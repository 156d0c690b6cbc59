// input: 13
// answer: 6227020800
#include <stdio.h>

int main(void) {
    int n, product = 1;
    scanf("%d", &n);
    for (int i = 2; i <= n; i++)
        product *= i; // undefined: integer overflow
    printf("%d\n", product);
    return 0;
}

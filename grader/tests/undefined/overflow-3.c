// input: 100000
// answer: 333338333350000
#include <stdio.h>

int main(void) {
    int n;
    long long sum = 0;
    scanf("%d", &n);
    for (int i = 1; i <= n; i++)
        sum += i * i; // undefined: integer overflow
    printf("%lld\n", sum);
    return 0;
}

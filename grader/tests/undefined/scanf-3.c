// input: 1 2 3
// answer: 6
#include <stdio.h>

int main(void) {
    long long a = -1, b = -1, c = -1;
    scanf("%d %d %d", &a, &b, &c); // undefined: `%d` is the wrong format for the type `long long int *`
    printf("%lld\n", a + b + c);
    return 0;
}

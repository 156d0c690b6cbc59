// input: 2000000000 2000000000
// answer: 2000000000
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int mean = (a + b) / 2; // undefined: integer overflow
    printf("%d\n", mean);
    return 0;
}

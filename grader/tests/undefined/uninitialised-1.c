// input: 12
// answer: twelve
#include <stdio.h>

int main(void) {
    int n, neg;
    scanf("%d", &n);
    if (n < 0) {
        neg = 1;
        n = -n;
    }
    if (neg) // undefined: `neg` is used before it has a value
        printf("minus ");
    printf("%s\n", n == 12 ? "twelve" : "other");
    return 0;
}

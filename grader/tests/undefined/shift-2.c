// input: 5
// answer: 00000000000000000000000000000101
#include <stdio.h>

int main(void) {
    unsigned n;
    scanf("%u", &n);
    for (int i = 32; i >= 0; i--)
        printf("%u", (n >> i) & 1u); // undefined: shift by 32 bits
    printf("\n");
    return 0;
}

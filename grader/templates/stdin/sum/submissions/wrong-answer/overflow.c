#include <stdio.h>

int main(void) {
    unsigned a, b;
    if (scanf("%u %u", &a, &b) != 2) return 1;
    printf("%d\n", (int)(a + b));
}

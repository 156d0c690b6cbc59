// input: 0 1
// answer: 0
#include <stdio.h>

int main(void) {
    int x, n;
    scanf("%d %d", &x, &n);
    int mask = 1;
    for (int i = -1; i < n; i++)
        mask |= 1 << i; // undefined: shift by a negative number of bits (-1)
    printf("%d\n", x & mask ? 1 : mask);
    return 0;
}

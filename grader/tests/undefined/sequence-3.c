// input: 4
// answer: 4 5
#include <stdio.h>

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d %d\n", n, ++n); // undefined: `n` is changed and used in the same expression
    return 0;
}

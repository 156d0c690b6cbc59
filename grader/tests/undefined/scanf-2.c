// input: 7 9
// answer: 16
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", a, b); // undefined: `%d` needs the address of a variable
    printf("%d\n", a + b);
    return 0;
}

// input: 5
// answer: 6
#include <stdio.h>

int main(void) {
    int i;
    scanf("%d", &i);
    i = i++; // undefined: `i` is changed and used in the same expression
    printf("%d\n", i);
    return 0;
}

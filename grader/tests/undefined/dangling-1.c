// input: 3 4
// answer: 7
#include <stdio.h>

int *add(int a, int b) {
    int sum = a + b;
    int *result = &sum;
    return result;
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int *result = add(a, b);
    printf("The sum is ");
    printf("%d\n", *result); // undefined: `sum` is used after its function or block has ended: the pointer is dangling
    return 0;
}

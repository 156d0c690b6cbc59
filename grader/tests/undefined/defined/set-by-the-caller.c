// input: 7 2
// answer: 3 1
#include <stdio.h>

int divide(int a, int b, int *rest) {
    if (b == 0)
        return 0;
    *rest = a % b;
    return a / b;
}

int main(void) {
    int a, b, rest;
    scanf("%d %d", &a, &b);
    int whole = divide(a, b, &rest);
    printf("%d %d\n", rest, whole);
    return 0;
}

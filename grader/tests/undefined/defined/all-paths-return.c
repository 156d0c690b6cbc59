// input: 3 5
// answer: 8
#include <stdio.h>

int larger(int a, int b) {
    if (a > b)
        return a;
    else if (b >= a)
        return b;
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", larger(a, b));
    return 0;
}

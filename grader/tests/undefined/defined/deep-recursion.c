// input: 5
// answer: 15
#include <stdio.h>

int sum(int n) {
    volatile char much[4096];
    much[0] = 1;
    return n + much[0] - 1 + sum(n - 1) * much[0];
}

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d\n", sum(n % 1000));
    return 0;
}

// input: 0
// answer: 1
#include <stdio.h>
#include <stdlib.h>

int check(int n) {
    if (n > 0)
        return n;
    printf("invalid\n");
    exit(0);
}

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d\n", check(n));
    return 0;
}

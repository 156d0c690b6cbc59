// input: 30
// answer: 8
#include <stdio.h>

int main(void) {
    int n, count = 0;
    scanf("%d", &n);
    for (int d = 0; d <= n; d++)
        if (n % d == 0) // undefined: division by zero
            count++;
    printf("%d\n", count);
    return 0;
}

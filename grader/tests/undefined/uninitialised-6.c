// input: 3 10 20 30
// answer: 60
#include <stdio.h>

int main(void) {
    int i, n, sum = 0, value;
    for (i = 1; i <= n; i++) { // undefined: `n` is used before it has a value
        scanf("%d", &value);
        sum += value;
    }
    printf("%d\n", sum);
    return 0;
}

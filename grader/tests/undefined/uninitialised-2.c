// input: 4 1 2 3 4
// answer: 10
#include <stdio.h>

int sum_of(int count) {
    int sum;
    for (int i = 0; i < count; i++) {
        int x;
        scanf("%d", &x);
        sum += x; // undefined: `sum` is used before it has a value
    }
    return sum;
}

int main(void) {
    int trash[8] = {3, 1, 4, 1, 5, 9, 2, 6}, count;
    scanf("%d", &count);
    printf("%d\n", sum_of(count) + 0 * trash[count]);
    return 0;
}

// input: two 3
// answer: 5
#include <stdio.h>

int main(void) {
    int n, sum[4] = {1, 2, 3, 5};
    scanf("%d", &n);
    printf("%d\n", sum[n]); // undefined: something without a value is used here
    return 0;
}

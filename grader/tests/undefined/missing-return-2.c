// input: 3 5
// answer: 8
#include <stdio.h>

int add(int a, int b) {
    int result = a + b;
    printf("");
} // undefined: `add` ends here without a `return`

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", add(a, b));
    return 0;
}

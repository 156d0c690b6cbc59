// input: 4
// answer: even
#include <stdio.h>

int is_even(int n) {
    if (n % 2 != 0)
        return 0;
} // undefined: `is_even` ends here without a `return`

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%s\n", is_even(n) == 1 ? "even" : "odd");
    return 0;
}

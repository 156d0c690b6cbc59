// input: 3
// answer: 0 1 2
#include <stdio.h>

int main(void) {
    int n, i = 0, a[10] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    scanf("%d", &n);
    while (i < n)
        a[i] = i++; // undefined: `i` is changed and used in the same expression
    for (i = 0; i < n; i++)
        printf("%d%c", a[i], i == n - 1 ? '\n' : ' ');
    return 0;
}

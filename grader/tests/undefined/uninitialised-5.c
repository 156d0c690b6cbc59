// input: 4
// answer: YES
#include <stdio.h>

int main(void) {
    int a[20], n, i, j;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        for (j = i + 1; j < n; j++) {
            if (a[i] != a[j]) { // undefined: `a` is used before it has a value
                printf("NO\n");
                return 0;
            }
        }
    }
    printf("YES %d\n", n);
    return 0;
}

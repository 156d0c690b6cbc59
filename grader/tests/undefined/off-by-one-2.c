// input: 3 10 20 30
// answer: 30 20 10
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    scanf("%d", &n);
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        scanf("%d", &a[i]);
    for (int i = n; i > 0; i--)
        printf("%d ", a[i]); // undefined: memory is read outside the bounds of what line 9 has allocated
    printf("\n");
    free(a);
    return 0;
}

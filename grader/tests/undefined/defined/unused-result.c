// input: 3
// answer: 1 2 3
#include <stdio.h>

int show(int n) {
    for (int i = 0; i < n; i++)
        printf("%d ", i);
    printf("\n");
}

int main(void) {
    int n;
    scanf("%d", &n);
    show(n);
    return 0;
}

// input: 5 9 2 7 1 7
// answer: not there
#include <stdio.h>

/* position of x, or -1 */
int find(const int *values, int n, int x) {
    for (int i = 0; i < n; i++)
        if (values[i] == x)
            return i;
} // undefined: `find` ends here without a `return`

int main(void) {
    int n, values[100];
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &values[i]);
    int at = find(values, n, 3);
    if (at == -1)
        printf("not there\n");
    else
        printf("position %d\n", at);
    return 0;
}

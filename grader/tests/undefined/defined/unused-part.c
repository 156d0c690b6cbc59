// input: 2 8 9
// answer: 17
#include <stdio.h>

struct point {
    int x, y, z;
};

int main(void) {
    int n, values[100], sum = 0;
    struct point p;
    p.x = 1;
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &values[i]);
    for (int i = 0; i < n; i++)
        sum += values[i];
    struct point copy = p;
    printf("%d\n", sum + copy.x);
    return 0;
}

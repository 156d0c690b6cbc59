// input: 4 9 5 7 6
// answer: 4
#include <stdio.h>

int main(void) {
    int a[5], smallest;
    for (int i = 0; i < 5; i++)
        scanf("%d", &a[i]);
    smallest = a[0];
    for (int i = 1; i <= 5; i++)
        if (a[i] < smallest) // undefined: index 5 is outside the array
            smallest = a[i];
    printf("%d\n", smallest);
    return 0;
}

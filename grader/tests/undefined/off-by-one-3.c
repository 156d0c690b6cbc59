// input: 4 6 1 5 3
// answer: 1 3 5 6
#include <stdio.h>

int values[4];

int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &values[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (values[j] > values[j + 1]) { // undefined: index 4 is outside the array
                int t = values[j];
                values[j] = values[j + 1];
                values[j + 1] = t;
            }
    for (int i = 0; i < n; i++)
        printf(i < n - 1 ? "%d " : "%d\n", values[i]);
    return 0;
}

// input: 2.5
// answer: 5.00
#include <stdio.h>

int main(void) {
    double x;
    scanf("%f", &x); // undefined: `%f` is the wrong format for the type `double *`
    printf("%.2f\n", 2 * x);
    return 0;
}

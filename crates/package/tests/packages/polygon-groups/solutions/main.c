#include <stdio.h>
#include "pair.h"

int main(void) {
    int total;
    scanf("%d", &total);
    printf("%d %d\n", half(total), total - half(total));
}

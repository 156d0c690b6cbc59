#include <stdio.h>
int main(void) { printf("%d\n", twice(3)); }

// input: 10
// answer: 11
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    int n;
    scanf("%d", &n);
    srand(time(NULL));
    printf("%d %p\n", rand() % n, (void *) &n);
    return 0;
}

// input: banana
// answer: 42
#include <stdio.h>

int main(void) {
    unsigned hash = 5381;
    int c;
    while ((c = getchar()) != EOF)
        hash = hash * 33u + (unsigned) c;
    printf("%u\n", hash);
    return 0;
}

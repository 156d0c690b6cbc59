// input: 3
// answer: 3
#include <stdio.h>

struct header {
    int width;
};

int main(void) {
    int n;
    struct header *header;
    scanf("%d", &n);
    header->width = n; // undefined: `header` is used before it has a value
    printf("%d\n", header->width);
    return 0;
}

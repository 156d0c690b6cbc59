// input: 3
// answer: 3
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int n;
    struct node only = {3, NULL}, *last = &only;
    scanf("%d", &n);
    while (n-- > 0)
        last = last->next; // undefined: a null pointer is used as if it pointed to something
    printf("%d\n", last->value);
    return 0;
}

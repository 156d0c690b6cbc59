// input: 3 1 2 3
// answer: 6
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int n, sum = 0;
    struct node *head = NULL;
    scanf("%d", &n);
    while (n-- > 0) {
        struct node *it = malloc(sizeof *it);
        scanf("%d", &it->value);
        it->next = head;
        head = it;
    }
    for (struct node *it = head; it != NULL; it = it->next) { // undefined: memory is used after line 23 has freed it: the pointer is dangling
        sum += it->value;
        free(it);
    }
    printf("sum %d\n", sum);
    return 0;
}

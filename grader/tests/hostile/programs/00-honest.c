// Does nothing wrong.
// Its neighbours must not keep it from its answer.
#include <stdio.h>
int main(void) {
    puts("42");
    return 0;
}

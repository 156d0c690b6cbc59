// Leaves the answer to an object file that lies beside the source.
// Only sources are built: the name must stay unknown.
#include <stdio.h>
int answer(void);
int main(void) {
    printf("%d\n", answer());
    return 0;
}

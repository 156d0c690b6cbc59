// Writes to standard error without end.
// It must be stopped at the limit of output, and never block.
#include <stdio.h>
int main(void) {
    for (;;) fputs("all work and no play makes a dull output\n", stderr);
}

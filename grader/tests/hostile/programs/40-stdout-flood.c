// Writes to standard output without end.
// It must be stopped at the limit of output, before its time is over.
#include <stdio.h>
int main(void) {
    for (;;) puts("all work and no play makes a dull output");
}

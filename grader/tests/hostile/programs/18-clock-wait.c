// Waits by reading the clock, without a system call.
// It must be stopped for its CPU time.
#include <time.h>
int main(void) {
    struct timespec now;
    for (;;) clock_gettime(CLOCK_MONOTONIC, &now);
}

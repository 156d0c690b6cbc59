// Sleeps for ever.
// It must be stopped for its wall time, with next to no CPU time.
#include <unistd.h>
int main(void) {
    for (;;) sleep(1000);
}

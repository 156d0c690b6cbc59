// Leaves ten sleepers behind that hold its standard output open.
// It has ended when it has ended: nobody waits for them, and none survives.
#include <stdio.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 10; i++) {
        if (fork() == 0) {
            if (i % 2) setsid();
            for (;;) sleep(1000);
        }
    }
    puts("42");
    return 0;
}

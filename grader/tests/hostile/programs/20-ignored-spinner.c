// Spins for ever in a child that the kernel reaps by itself, and sleeps meanwhile.
// It must be stopped for its CPU time, not for its wall time.
#include <signal.h>
#include <unistd.h>
int main(void) {
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        for (volatile int i = 0;; i++) {
        }
    }
    for (;;) sleep(1000);
}

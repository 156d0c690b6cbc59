// Handles or ignores every signal that can be, and spins.
// It must be killed, not asked to end.
#include <signal.h>
#include <stddef.h>
static void nothing(int signal) {
    (void)signal;
}
int main(void) {
    sigset_t all;
    for (int i = 1; i < 65; i++) signal(i, i % 2 ? nothing : SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (volatile int i = 0;; i++) {
    }
}

// Asks its parent to trace it, and sends itself a signal at which a traced process would stop.
// The parent does not trace: nothing must come of it.
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
int main(void) {
    signal(SIGURG, SIG_IGN);
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) {
        puts("42");
        return 0;
    }
    puts("42");
    fflush(stdout);
    return 0;
}

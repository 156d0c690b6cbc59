// Asks its parent to trace it, and sends itself a signal at which a traced process stops and its parent is told.
// Nothing may come of it but its own end.
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
int main(void) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGWINCH);
    puts("42");
    return 0;
}

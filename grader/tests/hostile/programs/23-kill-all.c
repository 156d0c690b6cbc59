// Stops and kills every process that it can reach.
// There must be none but its own; the neighbours go on.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    if (fork() == 0) {
        for (;;) pause();
    }
    kill(-1, SIGSTOP);
    kill(-1, SIGKILL);
    puts("42");
    return 0;
}

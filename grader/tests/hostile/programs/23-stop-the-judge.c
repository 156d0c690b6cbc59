// Sends its parent, and process 1, every signal.
// Neither must stop, end, or be later with the verdict.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 1; i < 65; i++) {
        if (i == SIGKILL || i == SIGSTOP) continue;
        kill(1, i);
        kill(getppid(), i);
    }
    kill(1, SIGSTOP);
    kill(getppid(), SIGSTOP);
    kill(1, SIGKILL);
    kill(getppid(), SIGKILL);
    puts("42");
    return 0;
}

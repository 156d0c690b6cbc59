// Gives process 1, its own user's, no CPU time, and makes it work: orphans for it to bury.
// It must be refused, or the kernel ends process 1, and the judge takes that for its own failure.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    struct rlimit none = {0, 0};
    if (prlimit(1, RLIMIT_CPU, &none, NULL) == -1) {
        puts("42");
        return 0;
    }
    for (int i = 0; i < 20000; i++) {
        pid_t child = vfork();
        if (child == 0) {
            vfork();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    puts("process 1 took it");
    return 0;
}

// Burns 300 ms in a sibling: a child of its own parent, which does not know it.
// The parent must not take it for the program, and its time counts.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void burn(double seconds) {
    struct timespec used;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec + used.tv_nsec / 1e9 < seconds);
}
int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends)) return 1;
    long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        burn(0.3);
        _exit(3);
    }
    close(ends[1]);
    while (read(ends[0], &byte, 1) > 0) {
    }
    puts("42");
    return 0;
}

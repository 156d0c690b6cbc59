// Asks for a sibling: a child of its own parent, which does not know it.
// It must be refused, because the sibling would be in nobody's books.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(3);
    if (child == -1 && errno == EPERM) puts("42");
    else printf("a sibling, or error %d\n", errno);
    return 0;
}

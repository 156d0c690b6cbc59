// Makes namespaces of every kind, in which it would have rights again.
// Every one must be refused, by both calls that make them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    const long kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
    int allowed = 0;
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 0; i < 8; i++) {
        if (unshare(kinds[i]) == 0) allowed |= 1 << i;
        if (kinds[i] == 0x80) continue;
        long child = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        if (child > 0) allowed |= 1 << i;
        // clone3 hides its flags in memory, where a filter cannot see them.
        unsigned long long arguments[11] = {kinds[i], 0, 0, 0, SIGCHLD};
        child = syscall(SYS_clone3, arguments, sizeof arguments);
        if (child == 0) _exit(0);
        if (child > 0) allowed |= 1 << i;
    }
    int own = open("/proc/self/ns/net", O_RDONLY);
    if (own >= 0 && setns(own, 0) == 0) allowed |= 256;
    if (allowed) printf("kinds %d were allowed\n", allowed);
    else puts("42");
    return 0;
}

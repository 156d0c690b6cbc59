// Tries to trace its parent and process 1, and to read and write their memory.
// All must be refused.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void);
static int allowed = 0;
static void attack(pid_t victim) {
    char path[64], byte[8];
    struct iovec here = {byte, 8}, there = {(void *)main, 8};
    if (ptrace(PTRACE_SEIZE, victim, 0, 0) == 0) allowed = 1;
    if (process_vm_readv(victim, &here, 1, &there, 1, 0) > 0) allowed = 2;
    if (process_vm_writev(victim, &here, 1, &there, 1, 0) > 0) allowed = 3;
    snprintf(path, sizeof path, "/proc/%d/mem", victim);
    if (open(path, O_RDWR) >= 0) allowed = 4;
}
int main(void) {
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    attack(1);
    attack(getppid());
    if (allowed) printf("way %d was open\n", allowed);
    else puts("42");
    return 0;
}

// Forks in every process for ever.
// It must be held to its number of processes, and to its time.
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
// Shared by all processes, so that even without a limit it ends.
static int *fuse;
static int burnt(void) {
    return __atomic_add_fetch(fuse, 1, __ATOMIC_SEQ_CST) > 400;
}
int main(void) {
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    fuse = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (;;) {
        pid_t child = fork();
        if (child >= 0 && burnt()) return 0;
    }
}

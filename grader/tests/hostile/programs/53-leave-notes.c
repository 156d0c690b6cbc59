// Leaves notes in whatever outlives a process: keys, System V objects, queues, files in shared folders.
// Whether it can does not matter: `53-find-notes.c` must not find them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define KEY 0x62737266
int main(int count, char **arguments) {
    const char *folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/box", "/build"};
    char name[4096];
    (void)count;
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int ring = -5; ring < 0; ring++) syscall(SYS_add_key, "user", arguments[1], "note", 4, ring);
    shmget(KEY, 4096, IPC_CREAT | 0666);
    msgget(KEY, IPC_CREAT | 0666);
    semget(KEY, 1, IPC_CREAT | 0666);
    snprintf(name, sizeof name, "/%s", arguments[1]);
    mq_open(name, O_CREAT | O_RDWR, 0666, 0);
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s/%s-53", folders[i], arguments[1]);
        open(name, O_CREAT | O_RDWR, 0666);
    }
    if (utimensat(AT_FDCWD, "/usr/bin", 0, 0) == 0) puts("the time of a folder of the system");
    else puts("42");
    return 0;
}

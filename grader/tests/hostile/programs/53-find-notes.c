// Looks for the notes of `53-leave-notes.c`, another student's, long after it has ended.
// None must be found.
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
    int found = 0;
    (void)count;
    for (int ring = -5; ring < 0; ring++) {
        if (syscall(SYS_keyctl, 10, ring, "user", arguments[1], 0) > 0) found |= 1;
    }
    if (shmget(KEY, 4096, 0) >= 0) found |= 2;
    if (msgget(KEY, 0) >= 0) found |= 4;
    if (semget(KEY, 1, 0) >= 0) found |= 8;
    snprintf(name, sizeof name, "/%s", arguments[1]);
    if (mq_open(name, O_RDWR) != (mqd_t)-1) found |= 16;
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s/%s-53", folders[i], arguments[1]);
        if (open(name, O_RDWR) >= 0) found |= 32;
    }
    if (found) printf("notes %d were found\n", found);
    else puts("42");
    return 0;
}

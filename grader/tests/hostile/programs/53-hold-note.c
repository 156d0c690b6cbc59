// Holds notes that live as long as it does: locks on a file of the system, an abstract socket, shared memory.
// A program that runs at the same time, `53-meet-note.c`, must not see them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#define KEY 0x62737267
static socklen_t named(struct sockaddr_un *address, const char *mark) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s-53", mark);
    return offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address->sun_path + 1);
}
int main(int count, char **arguments) {
    struct sockaddr_un address;
    (void)count;
    socklen_t length = named(&address, arguments[1]);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(file, (struct sockaddr *)&address, length);
    listen(file, 1);
    flock(open("/usr/bin/env", O_RDONLY), LOCK_EX);
    struct flock lock = {.l_type = F_RDLCK};
    fcntl(open("/usr/bin/env", O_RDONLY), F_SETLK, &lock);
    shmget(KEY, 4096, IPC_CREAT | 0666);
    usleep(900000);
    puts("42");
    return 0;
}

// Looks for the notes of `53-hold-note.c`, another student's, for as long as that may run.
// None must be found.
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
    int found = 0;
    (void)count;
    socklen_t length = named(&address, arguments[1]);
    for (int i = 0; i < 18; i++) {
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(file, (struct sockaddr *)&address, length) == 0) found |= 1;
        close(file);
        file = open("/usr/bin/env", O_RDONLY);
        // Where locks are refused to all, nothing is learnt from that.
        if (flock(file, LOCK_EX | LOCK_NB) != 0 && flock(file, LOCK_SH | LOCK_NB) != 0) {
            int other = open("/usr/bin/true", O_RDONLY);
            if (flock(other, LOCK_EX | LOCK_NB) == 0) found |= 2;
            close(other);
        }
        // A lock for writing, which would meet one for reading.
        struct flock lock = {.l_type = F_WRLCK};
        if (fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) found |= 8;
        close(file);
        if (shmget(KEY, 4096, 0) >= 0) found |= 4;
        usleep(50000);
    }
    if (found) printf("notes %d were found\n", found);
    else puts("42");
    return 0;
}

// Looks for the notes of `53-hold-note.c`, another student's, for as long as that may run.
// None must be found.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
// A word of the C library, as the page cache has it for everybody.
static int *word(void) {
    const char *files[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/usr/lib/libc.so.6"};
    for (int i = 0; i < 4; i++) {
        void *map = mmap(0, 4096, PROT_READ, MAP_SHARED, open(files[i], O_RDONLY), 0);
        if (map != MAP_FAILED) return map;
    }
    return 0;
}
int main(int count, char **arguments) {
    struct sockaddr_un address;
    int found = 0;
    (void)count;
    socklen_t length = named(&address, arguments[1]);
    int *shared = word();
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
        struct flock whole = {.l_type = F_WRLCK};
        file = open("/dev/null", O_RDWR);
        if (fcntl(file, F_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) found |= 16;
        close(file);
        file = open("/dev/zero", O_RDWR);
        if (fcntl(file, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) found |= 16;
        close(file);
        if (shared && syscall(SYS_futex, shared, FUTEX_WAKE, 1, 0, 0, 0) > 0) found |= 32;
        if (shmget(KEY, 4096, 0) >= 0) found |= 4;
        usleep(50000);
    }
    if (found) printf("notes %d were found\n", found);
    else puts("42");
    return 0;
}

// Holds notes that live as long as it does: locks on a file and a device of the system, an abstract socket, shared
// memory, a wait for a word of a library.
// A program that runs at the same time, `53-meet-note.c`, must not see them.
#define _GNU_SOURCE
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
    (void)count;
    socklen_t length = named(&address, arguments[1]);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(file, (struct sockaddr *)&address, length);
    listen(file, 1);
    flock(open("/usr/bin/env", O_RDONLY), LOCK_EX);
    struct flock lock = {.l_type = F_RDLCK};
    fcntl(open("/usr/bin/env", O_RDONLY), F_SETLK, &lock);
    shmget(KEY, 4096, IPC_CREAT | 0666);
    struct flock whole = {.l_type = F_WRLCK};
    fcntl(open("/dev/null", O_RDWR), F_SETLK, &whole);
    fcntl(open("/dev/zero", O_RDWR), F_OFD_SETLK, &whole);
    struct timespec now, end, left = {0, 900000000};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += left.tv_nsec;
    int *shared = word();
    do {
        // Ended by whoever wakes it.
        if (!shared || syscall(SYS_futex, shared, FUTEX_WAIT, *shared, &left, 0, 0) != 0) usleep(1000);
        clock_gettime(CLOCK_MONOTONIC, &now);
        left.tv_nsec = end.tv_nsec - now.tv_nsec - (now.tv_sec - end.tv_sec) * 1000000000;
    } while (left.tv_nsec > 0);
    puts("42");
    return 0;
}

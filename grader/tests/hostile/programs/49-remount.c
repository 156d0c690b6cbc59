// Makes the folders of the system writable and writes to them.
// Every step must be refused.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>
int main(int count, char **arguments) {
    const char *folders[] = {"/", "/usr", "/lib", "/bin", "/build", "/proc", "/dev"};
    int allowed = 0;
    char path[4096];
    (void)count;
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    for (int i = 0; i < 7; i++) {
        if (mount(0, folders[i], 0, MS_REMOUNT | MS_BIND, 0) == 0) allowed |= 1;
        if (mount("tmpfs", folders[i], "tmpfs", 0, 0) == 0) allowed |= 2;
        if (umount2(folders[i], MNT_DETACH) == 0) allowed |= 4;
        snprintf(path, sizeof path, "%s/%s-49", folders[i], arguments[1]);
        if (open(path, O_CREAT | O_WRONLY, 0600) >= 0) allowed |= 8, unlink(path);
    }
    if (chroot("/usr") == 0) allowed |= 16;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) allowed |= 32;
    if (allowed) printf("ways %d were open\n", allowed);
    else puts("42");
    return 0;
}

// Opens files of the system that hold secrets, or that tell who the users are.
// None must be there, or it must be unreadable.
#include <fcntl.h>
#include <stdio.h>
int main(void) {
    const char *paths[] = {"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root/.bashrc", "/etc/ssh/ssh_config", "/var/log/dpkg.log", "/dev/mem", "/dev/kmsg", "/proc/kcore", "/proc/kallsyms", "/sys/kernel/security"};
    for (int i = 0; i < 11; i++) {
        if (open(paths[i], O_RDONLY) >= 0) {
            puts(paths[i]);
            return 0;
        }
    }
    puts("42");
    return 0;
}

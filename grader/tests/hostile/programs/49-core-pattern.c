// Writes settings of the kernel: to each only what it is, so that no harm is done.
// That it can be opened for writing is harm enough.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    const char *settings[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/release_agent"};
    for (int i = 0; i < 6; i++) {
        if (open(settings[i], O_WRONLY) >= 0) {
            puts(settings[i]);
            return 0;
        }
    }
    puts("42");
    return 0;
}

// Asks for what only an administrator may: names, clocks, the kernel's log, restarting, swapping.
// Every call is chosen to change nothing, and must be refused.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/quota.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>
int main(void) {
    int allowed = 0;
    char host[256];
    // Outside of a sandbox this would reach everybody.
    if (getpid() > 100) {
        puts("not in a process namespace");
        return 0;
    }
    struct timeval now;
    gethostname(host, sizeof host);
    gettimeofday(&now, 0);
    struct timex clock = {.modes = ADJ_TICK, .tick = 10000};
    // Turns the three-finger salute off; restarts nothing.
    if (reboot(RB_DISABLE_CAD) == 0) allowed |= 1;
    if (sethostname(host, strlen(host)) == 0) allowed |= 2;
    if (settimeofday(&now, 0) == 0) allowed |= 4;
    if (klogctl(10, 0, 0) >= 0) allowed |= 8;
    if (swapoff("/no-such-file") == 0) allowed |= 16;
    if (adjtimex(&clock) >= 0) allowed |= 32;
    if (setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - 1) == 0) allowed |= 64;
    if (acct("/no-such-file") == 0) allowed |= 128;
    if (setuid(0) == 0) allowed |= 256;
    if (setgid(0) == 0) allowed |= 512;
    if (allowed) printf("ways %d were open\n", allowed);
    else puts("42");
    return 0;
}

#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int tried;
#define TRY(name, attempt) do { \
    tried++; pid_t child = fork(); \
    if (!child) _exit((attempt) == -1 ? 0 : 7); \
    int status; waitpid(child, &status, 0); \
    if (WIFEXITED(status) && WEXITSTATUS(status) == 7) puts(name); \
} while (0)
static char page[4096];
static int execute(void) {
    int file = open("own", O_CREAT | O_WRONLY, 0755);
    (void)!write(file, "#!/bin/sh\n", 10);
    close(file);
    char *arguments[] = { "own", 0 };
    return execv("./own", arguments);
}
int main(int count, char **v) {
    (void)count;
    setvbuf(stdout, 0, _IONBF, 0);
    pid_t decoy = atoi(v[1]);
    struct iovec here = { page, 8 }, there = { page, 8 };
    struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
    cpu_set_t all; memset(&all, 255, sizeof all);
    TRY("mount a tmpfs", mount("x", "/tmp", "tmpfs", 0, 0));
    TRY("remount the root", mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0));
    TRY("unmount", umount2("/tmp", MNT_DETACH));
    TRY("change the root", chroot("/tmp"));
    TRY("pivot_root", syscall(SYS_pivot_root, "/tmp", "/tmp"));
    TRY("open_tree", syscall(428, AT_FDCWD, "/", 1));
    TRY("a user namespace", unshare(CLONE_NEWUSER));
    TRY("a mount namespace", unshare(CLONE_NEWNS));
    TRY("a network namespace by clone", syscall(SYS_clone, CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0));
    TRY("join a namespace", setns(open("/proc/self/ns/net", O_RDONLY), 0));
    TRY("trace init", ptrace(PTRACE_SEIZE, 1, 0, 0));
    TRY("read another's memory", syscall(SYS_process_vm_readv, getppid(), &here, 1UL, &there, 1UL, 0UL));
    TRY("bpf", syscall(SYS_bpf, 0, page, 48));
    TRY("perf_event_open", syscall(SYS_perf_event_open, page, 0, -1, -1, 0));
    TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
    TRY("io_uring", syscall(425, 1, page));
    TRY("a keyring", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1));
    TRY("an internet socket", socket(AF_INET, SOCK_DGRAM, 0));
    TRY("an IPv6 socket", socket(AF_INET6, SOCK_STREAM, 0));
    TRY("a netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    TRY("a packet socket", socket(AF_PACKET, SOCK_RAW, 0));
    TRY("a socket to the hypervisor", socket(40, SOCK_STREAM, 0));
    TRY("the host name", sethostname("other", 5));
    TRY("the clock", syscall(SYS_clock_settime, CLOCK_REALTIME, page));
    TRY("become root", setuid(0));
    TRY("become another user", setresuid(7, 7, 7));
    TRY("join groups", setgroups(0, 0));
    TRY("regain a capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    TRY("the kernel's log", syscall(SYS_syslog, 10, 0, 0));
    TRY("swap", swapon("/dev/null", 0));
    TRY("a module", syscall(SYS_init_module, page, 0UL, ""));
    TRY("a file by its handle", syscall(SYS_open_by_handle_at, AT_FDCWD, page, 0));
    TRY("a device", mknod("device", S_IFCHR | 0600, 0x103));
    TRY("shared memory", shmget(IPC_PRIVATE, 4096, 0600));
    TRY("a message queue", msgget(IPC_PRIVATE, 0600));
    TRY("a memory file", syscall(SYS_memfd_create, "x", 0));
    TRY("a lock on a device that all share", flock(open("/dev/null", O_RDWR), LOCK_EX | LOCK_NB));
    TRY("a watch", inotify_init1(0));
    TRY("limits of init", prlimit(1, RLIMIT_CPU, &unlimited, 0));
    TRY("a higher limit", setrlimit(RLIMIT_NOFILE, &unlimited));
    TRY("another core", sched_setaffinity(0, sizeof all, &all));
    TRY("kill a process of the host", kill(decoy, SIGKILL));
    TRY("see a process of the host", getpgid(decoy));
    TRY("read a file of the host", open(v[2], O_RDONLY));
    TRY("read the system's passwords", open("/etc/shadow", O_RDONLY));
    TRY("write to the system", open("/usr/own", O_CREAT | O_WRONLY, 0600));
    TRY("settings of the kernel", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    TRY("control groups", open("/sys/fs/cgroup", O_RDONLY));
    TRY("execute a file that it wrote", execute());
    printf("%d tried\n", tried);
    return 0;
}

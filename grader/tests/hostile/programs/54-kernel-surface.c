// Asks for parts of the kernel that no solution needs and many attacks have used.
// Every one must be refused.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static char zeros[4096];
static void attempt(const char *name, long result, int *allowed) {
    if (result >= 0) {
        puts(name);
        *allowed = 1;
    }
}
int main(void) {
    int allowed = 0;
    attempt("bpf", syscall(SYS_bpf, 0, zeros, 64), &allowed);
    attempt("userfaultfd", syscall(SYS_userfaultfd, 1), &allowed);
    attempt("io_uring", syscall(SYS_io_uring_setup, 4, zeros), &allowed);
    attempt("perf", syscall(SYS_perf_event_open, memset(zeros, 0, 4096), 0, -1, -1, 0), &allowed);
    attempt("keyring", syscall(SYS_keyctl, 0, -3, 1), &allowed);
    attempt("add_key", syscall(SYS_add_key, "user", "bitcraft", "x", 1, -3), &allowed);
    attempt("AF_INET", socket(AF_INET, SOCK_RAW, 1), &allowed);
    attempt("AF_NETLINK", socket(AF_NETLINK, SOCK_RAW, 0), &allowed);
    attempt("AF_PACKET", socket(AF_PACKET, SOCK_RAW, 0), &allowed);
    attempt("AF_ALG", socket(AF_ALG, SOCK_SEQPACKET, 0), &allowed);
    attempt("AF_VSOCK", socket(AF_VSOCK, SOCK_STREAM, 0), &allowed);
    attempt("open_by_handle_at", syscall(SYS_open_by_handle_at, -100, zeros, 0), &allowed);
    attempt("kexec", syscall(SYS_kexec_load, 0, 0, 0, 0), &allowed);
    attempt("init_module", syscall(SYS_init_module, zeros, 0, ""), &allowed);
    attempt("fanotify", syscall(SYS_fanotify_init, 0, 0), &allowed);
    attempt("quotactl", syscall(SYS_quotactl, 0x80000100, 0, 0, 0), &allowed);
#ifdef SYS_iopl
    attempt("iopl", syscall(SYS_iopl, 3), &allowed);
#endif
    if (personality(READ_IMPLIES_EXEC) >= 0 && (personality(0xffffffff) & READ_IMPLIES_EXEC)) attempt("personality", 0, &allowed);
    if (!allowed) puts("42");
    return 0;
}

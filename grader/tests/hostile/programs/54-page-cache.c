// Asks the kernel what it has in memory of a file or of a folder, and to forget it: notes for a later run.
// Every such call must be refused.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static void attempt(const char *name, long result, int *allowed) {
    if (result >= 0) {
        puts(name);
        *allowed = 1;
    }
}
int main(void) {
    int allowed = 0, file = open("/proc/self/exe", O_RDONLY);
    char page[4096];
    unsigned char resident;
    uint64_t range[2] = {0, 4096}, counts[5], hint = 1;
    // RESOLVE_CACHED: whether a name is remembered, also one that is not there.
    uint64_t how[3] = {O_RDONLY, 0, 0x20};
    struct iovec place = {page, sizeof page};
    void *map = mmap(0, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (file < 0 || map == MAP_FAILED) {
        puts("cannot open itself");
        return 0;
    }
    page[0] = *(volatile char *)map;
    attempt("fadvise", syscall(SYS_fadvise64, file, 0L, 0L, POSIX_FADV_DONTNEED), &allowed);
    attempt("readahead", readahead(file, 0, 4096), &allowed);
    attempt("mincore", mincore(map, 4096, &resident), &allowed);
    attempt("cachestat", syscall(451, file, range, counts, 0), &allowed);
    attempt("preadv2 without waiting", preadv2(file, &place, 1, 0, RWF_NOWAIT), &allowed);
    attempt("openat2", syscall(437, AT_FDCWD, "/", how, sizeof how), &allowed);
    attempt("write hint", fcntl(open("/build", O_RDONLY), 1036, &hint), &allowed);
    // It says that it was done.
    madvise(map, 4096, MADV_COLD);
    if (preadv2(file, &place, 1, 0, 0) <= 0) attempt("preadv2 is refused altogether", 0, &allowed);
    if (!allowed) puts("42");
    return 0;
}

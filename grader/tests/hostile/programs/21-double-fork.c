// Burns 250 ms in an orphan in a session of its own, while main only waits for it.
// The report must tell the time all the same.
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static void burn(double seconds) {
    struct timespec used;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec + used.tv_nsec / 1e9 < seconds);
}
int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            burn(0.25);
            _exit(0);
        }
        _exit(0);
    }
    close(ends[1]);
    while (read(ends[0], &byte, 1) > 0) {
    }
    puts("42");
    return 0;
}

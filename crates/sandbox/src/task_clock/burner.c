/* Uses CPU time in one of several ways; every process says how much it used, in ns, on a line of its own. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long used(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *burn(void *unused) {
    while (used(CLOCK_THREAD_CPUTIME_ID) < 150000000LL) {}
    return unused;
}

static void tell(void) {
    char line[32];
    int length = sprintf(line, "%lld\n", used(CLOCK_PROCESS_CPUTIME_ID));
    if (write(1, line, length) != length) _exit(1);
}

static void burn_and_end(void) {
    burn(NULL);
    tell();
    _exit(0);
}

int main(int count, char **arguments) {
    const char *way = count == 2 ? arguments[1] : "";
    if (!strcmp(way, "alone")) {
        burn(NULL);
    } else if (!strcmp(way, "orphan")) {
        if (fork() == 0) {
            if (fork() == 0) { setsid(); burn_and_end(); }
            tell();
            _exit(0);
        }
        wait(NULL);
    } else if (!strcmp(way, "ignored")) {
        signal(SIGCHLD, SIG_IGN);
        if (fork() == 0) burn_and_end();
        wait(NULL);
    } else if (!strcmp(way, "threads")) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, burn, NULL);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    } else if (!strcmp(way, "system")) {
        static char page[1 << 16];
        int zero = open("/dev/zero", O_RDONLY);
        while (used(CLOCK_THREAD_CPUTIME_ID) < 150000000LL)
            if (read(zero, page, sizeof page) < 0) return 1;
    } else if (!strcmp(way, "disabled")) {
        prctl(PR_TASK_PERF_EVENTS_DISABLE);
        if (fork() == 0) { prctl(PR_TASK_PERF_EVENTS_DISABLE); burn_and_end(); }
        burn(NULL);
        wait(NULL);
    } else if (!strcmp(way, "endless")) {
        fork();
        for (;;) {}
    } else {
        return 2;
    }
    tell();
    return 0;
}

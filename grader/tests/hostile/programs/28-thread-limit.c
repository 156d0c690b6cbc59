// Counts how many threads it may have: the limit is 16 processes and threads together.
// The others that are graded meanwhile must not count.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}
int main(void) {
    int threads = 0, error = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (threads < 100) {
        pthread_t thread;
        error = pthread_create(&thread, &small, wait_for_ever, NULL);
        if (error) break;
        threads++;
    }
    if (threads == 15 && error == EAGAIN) puts("42");
    else printf("%d threads, error %d\n", threads, error);
    return 0;
}

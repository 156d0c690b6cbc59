// Counts how many children it may have: the limit is 16 processes, and it is one itself.
// The others that are graded meanwhile must not count.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int children = 0;
    while (children < 100) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            for (;;) pause();
        }
        children++;
    }
    if (children == 15 && errno == EAGAIN) puts("42");
    else printf("%d children, error %d\n", children, errno);
    return 0;
}

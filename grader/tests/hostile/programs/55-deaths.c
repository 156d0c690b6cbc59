// Dies in the way that its argument names.
// The report must tell how.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **arguments) {
    const char *way = arguments[2];
    volatile int zero = count > 100;
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "assert")) assert(zero);
    if (!strcmp(way, "term")) raise(SIGTERM);
    if (!strcmp(way, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(way, "usr1")) raise(SIGUSR1);
    if (!strcmp(way, "null")) *(volatile int *)0 = 1;
    if (!strcmp(way, "divide")) return count / zero;
    if (!strcmp(way, "exit")) exit(atoi(arguments[3]));
    return 0;
}

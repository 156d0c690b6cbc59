// Burns, and leaves a sleeper in its session and one in another.
// All must die with the grader, however that dies.
#include <signal.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            if (i) setsid();
            for (;;) pause();
        }
    }
    for (volatile int i = 0;; i++) {
    }
}

// Leaves a burner behind in another session and ends with the right answer.
// The burner must end with it: the judge neither waits nor lets it go on.
#include <stdio.h>
#include <unistd.h>
int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (volatile int i = 0;; i++) {
            }
        }
        _exit(0);
    }
    puts("42");
    return 0;
}

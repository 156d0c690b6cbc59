// Prints the answer and never ends.
// A right answer is none before the program has ended.
#include <stdio.h>
#include <unistd.h>
int main(void) {
    puts("42");
    fflush(stdout);
    for (;;) sleep(1000);
}

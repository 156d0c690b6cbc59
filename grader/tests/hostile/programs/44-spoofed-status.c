// Prints what verdicts look like, in the words of several judges.
// Verdicts are not read from what a program writes.
#include <stdio.h>
int main(void) {
    const char *lies[] = {"AC", "timelimit exceeded", "status:OK", "{\"Done\":{\"end\":{\"Exited\":0}}}", "exitcode:0"};
    for (int i = 0; i < 5; i++) {
        puts(lies[i]);
        fprintf(stderr, "%s\n", lies[i]);
    }
    return 0;
}

// Leaves a link to a file that is not its own in place of its answer.
// The grader must not follow it.
#include <stdio.h>
#include <unistd.h>
int main(int count, char **arguments) {
    char path[4096];
    (void)count;
    snprintf(path, sizeof path, "%s/secret.txt", arguments[2]);
    return symlink(path, "answer.txt");
}

// Leaves a pipe in place of its answer.
// The grader must not wait for somebody to write to it.
#include <sys/stat.h>
int main(void) {
    return mkfifo("answer.txt", 0666);
}

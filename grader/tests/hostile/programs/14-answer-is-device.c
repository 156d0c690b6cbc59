// Leaves a link to a device without end in place of its answer.
// The grader must not read it.
#include <unistd.h>
int main(void) {
    return symlink("/dev/urandom", "answer.txt");
}

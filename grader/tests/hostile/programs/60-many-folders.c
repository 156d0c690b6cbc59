// Does nothing wrong.
// It is submitted with more folders than a run's file system may hold.
#include <stdio.h>
int main(void) {
    puts("42");
    return 0;
}

// Prints the answer, a NUL, and more.
// What comes after a NUL is read as well.
#include <stdio.h>
int main(void) {
    fwrite("42\0 is not all\n", 1, 16, stdout);
    return 0;
}

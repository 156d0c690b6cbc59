// Prints all bytes there are, and the answer.
// The report must quote them escaped.
#include <stdio.h>
int main(void) {
    for (int i = 255; i >= 0; i--) putchar(i);
    puts("42");
    return 0;
}

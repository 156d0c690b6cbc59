// Prints a line of 60 000 characters.
// It is wrong, and the report must quote only a part.
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 60000; i++) putchar('a' + i % 26);
    putchar('\n');
    return 0;
}

// Prints codes that would move the cursor, rename the window, and hide text.
// They must stand escaped in every report.
#include <stdio.h>
int main(void) {
    puts("\033[2J\033]0;owned\007\033[8m42\xe2\x80\xae\xc2\x9b");
    fputs("\033[2J\033]0;owned\007\033[8m42\xe2\x80\xae\xc2\x9b\n", stderr);
    return 0;
}

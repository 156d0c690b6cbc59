// Prints the answer and then 10 MB of blanks.
// The blanks would be forgiven if they were few.
#include <stdio.h>
int main(void) {
    puts("42");
    for (int i = 0; i < 10000000; i++) putchar(' ');
    return 0;
}

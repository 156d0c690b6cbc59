// Builds the text of a file that is not the student's into the program.
// What the program may not read, its compiler may not read for it.
#include <stdio.h>
__asm__(".pushsection .rodata\nsecret: .incbin \"@HOST@/secret.txt\"\n.byte 0\n.popsection");
extern const char secret[];
int main(void) {
    puts(secret);
    return 0;
}

// input: programming
// answer: prog
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[32], start[4];
    scanf("%31s", word);
    strncpy(start, word, 4);
    printf("%s\n", start); // undefined: `start` (declared in line 7) is read past its end
    return 0;
}

// input: abcdefgh
// answer: ABCDEFGH 8
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char word[64];
    scanf("%63s", word);
    int n = strlen(word);
    char *upper = malloc(n);
    for (int i = 0; i < n; i++)
        upper[i] = toupper(word[i]);
    printf("%s %d\n", upper, (int) strlen(word) + 1); // undefined: the memory from line 12 is read past its end
    free(upper);
    return 0;
}

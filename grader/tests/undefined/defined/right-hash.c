// input: abc
// answer: 3
#include <stdio.h>
#include <string.h>

static int hash(const char *text) {
    int h = 1 << 31;
    for (; *text; text++)
        h = h * 31 + *text;
    return h;
}

int main(void) {
    char word[8] = "", copy[8];
    scanf("%7s", word);
    memcpy(copy, word, sizeof copy);
    printf("%d\n", hash(word) == hash(copy) ? (int) strlen(copy) : -1);
    return 0;
}

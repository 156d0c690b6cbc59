// input: hello
// answer: 5 hello
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[20];
    scanf("%s", &word);
    printf("%d %s\n", strlen(word) + 1, word);
    return 0;
}

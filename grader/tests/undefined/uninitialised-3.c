// input: banana
// answer: a 3
#include <stdio.h>

int main(void) {
    char word[100];
    int counts[26];
    int best = 0;
    scanf("%99s", word);
    for (int i = 0; word[i] != '\0'; i++)
        counts[word[i] - 'a']++; // undefined: `counts` is used before it has a value
    for (int i = 0; i < 26; i++)
        if (counts[i] > counts[best])
            best = i;
    printf("%c %d\n", 'a' + best, counts[best]);
    return 0;
}

// input: hello
// answer: olleh
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[32], back[5];
    scanf("%31s", word);
    int n = strlen(word);
    for (int i = 0; i < n; i++)
        back[i] = word[n - 1 - i];
    printf("%s\n", back); // undefined: `back` (declared in line 7) is read past its end
    return 0;
}

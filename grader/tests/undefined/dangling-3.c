// input: Ada
// answer: Hello, Ada!
#include <stdio.h>
#include <string.h>

char *greeting(const char *name) {
    char text[100];
    strcpy(text, "Hello, ");
    strcat(text, name);
    strcat(text, "!");
    return text; // undefined: the function returns the address of a local variable
}

int main(void) {
    char name[50];
    scanf("%49s", name);
    printf("%s\n", greeting(name));
    return 0;
}

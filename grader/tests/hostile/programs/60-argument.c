// Looks at an argument of 60 000 bytes.
// It must arrive whole.
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
    printf("%d\n", count == 2 && strlen(arguments[1]) == 60000 ? 42 : 0);
    return 0;
}

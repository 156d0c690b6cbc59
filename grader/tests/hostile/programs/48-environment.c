// Reads the environment of every process that it sees, its own among them.
// The token in the grader's environment must not be there.
#include <stdio.h>
#include <string.h>
int main(void) {
    for (int i = 1; i < 40000; i++) {
        char path[64], text[65536];
        snprintf(path, sizeof path, "/proc/%d/environ", i);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        size_t count = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        for (size_t k = 0; k < count; k++) {
            if (!text[k]) text[k] = ' ';
        }
        text[count] = 0;
        if (strstr(text, "TOKEN")) {
            puts(strstr(text, "TOKEN"));
            return 0;
        }
    }
    puts("42");
    return 0;
}

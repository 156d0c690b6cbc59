// The first line of standard input holds the arguments: the program starts itself again with them.
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void with_arguments(int argc, char **argv) {
    static char line[65536];
    static char *words[4096];
    int length = 0, count = 0;
    if (argc > 1 || getenv("WITH_ARGUMENTS")) return;
    // Byte by byte: what follows is the program's own input.
    while (length < 65535 && read(0, line + length, 1) == 1 && line[length] != '\n') length++;
    line[length] = 0;
    words[count++] = argv[0];
    for (int i = 0; i < length && count < 4095;) {
        while (line[i] == ' ') line[i++] = 0;
        if (i < length) words[count++] = line + i;
        while (i < length && line[i] != ' ') i++;
    }
    setenv("WITH_ARGUMENTS", "1", 1);
    execv("/proc/self/exe", words);
    _exit(126);
}

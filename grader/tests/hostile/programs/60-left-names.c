// Prints nothing, and leaves as many files of the longest names as it can.
// They must not make the report larger than others.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    for (int k = 0; k < 8000; k++) {
        char name[256];
        memset(name, 1 + k % 31, sizeof name - 1);
        name[255] = 0;
        for (int digit = 0, rest = k; digit < 4; digit++, rest /= 10) name[digit] = '0' + rest % 10;
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) break;
        close(file);
    }
    return 0;
}

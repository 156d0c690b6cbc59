// Looks for a terminal, to type a command on it.
// There must be none, neither open nor to be opened.
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
    const char *command = "echo typed\n";
    int found = open("/dev/tty", O_RDWR) >= 0;
    for (int i = 0; i < 3; i++) {
        found |= isatty(i);
        for (const char *c = command; *c; c++) found |= ioctl(i, TIOCSTI, c) == 0;
    }
    puts(found ? "a terminal" : "42");
    return 0;
}

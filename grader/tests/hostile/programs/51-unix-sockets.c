// Connects to sockets of this machine by a path and by an abstract name.
// Nobody must be reached.
#include <stddef.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int count, char **arguments) {
    struct sockaddr_un path = {.sun_family = AF_UNIX}, name = {.sun_family = AF_UNIX};
    int reached = 0;
    (void)count;
    snprintf(path.sun_path, sizeof path.sun_path, "%s/socket", arguments[2]);
    strcpy(name.sun_path + 1, arguments[1]);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(arguments[1]);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(file, (struct sockaddr *)&path, sizeof path) == 0) reached |= 1;
    file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(file, (struct sockaddr *)&name, length) == 0) reached |= 2;
    if (reached) printf("reached by way %d\n", reached);
    else puts("42");
    return 0;
}

// Connects by TCP to a service on this machine, by each of its addresses, and listens itself.
// Nobody must be reached.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int count, char **arguments) {
    const char *addresses[] = {"127.0.0.1", "0.0.0.0", "127.0.0.2"};
    int reached = 0;
    (void)count;
    for (int i = 0; i < 3; i++) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[3]))};
        inet_pton(AF_INET, addresses[i], &to.sin_addr);
        int file = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(file, (struct sockaddr *)&to, sizeof to) == 0) {
            reached++;
            (void)!write(file, "51-tcp", 6);
        }
    }
    puts(reached ? "somebody was reached" : "42");
    return 0;
}

// Sends a datagram to a service on this machine, and one to a server of names outside.
// Nothing must leave.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static int send_to(const char *address, int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, address, &to.sin_addr);
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    return sendto(file, "51-udp", 6, 0, (struct sockaddr *)&to, sizeof to) == 6;
}
int main(int count, char **arguments) {
    (void)count;
    int sent = send_to("127.0.0.1", atoi(arguments[4]));
    // An address that is reserved for documentation: nobody is there.
    sent |= send_to("192.0.2.1", 53);
    puts(sent ? "a datagram was sent" : "42");
    return 0;
}

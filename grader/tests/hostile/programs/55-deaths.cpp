// Dies in the way that its argument names.
// The report must tell how.
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unistd.h>
int main(int count, char **arguments) {
    const std::string way = arguments[2];
    volatile int zero = count > 100;
    if (way == "abort") std::abort();
    if (way == "throw") throw std::runtime_error("uncaught");
    if (way == "term") std::raise(SIGTERM);
    if (way == "kill") kill(getpid(), SIGKILL);
    if (way == "null") *(volatile int *)nullptr = 1;
    if (way == "divide") return count / zero;
    if (way == "exit") std::exit(std::atoi(arguments[3]));
}

// Does nothing wrong, with a thread.
// Its neighbours must not take its share of processes.
#include <iostream>
#include <thread>
int main() {
    int answer = 0;
    std::thread([&] { answer = 42; }).join();
    std::cout << answer << std::endl;
}

#include <bitset>
#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char *argv[]) {
    int n = std::atoi(argv[1]);
    for (int i = 0; i < (1 << n); i++) {
        std::string s = std::bitset<32>(i ^ (i >> 1)).to_string();
        std::cout << s.substr(32 - n) << "\n";
    }
    return 0;
}

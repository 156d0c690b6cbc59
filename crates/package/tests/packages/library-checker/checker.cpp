// Compares one number.
#include <cstdio>

int main(int, char *arguments[]) {
    std::FILE *output = std::fopen(arguments[2], "r"), *answer = std::fopen(arguments[3], "r");
    long long found, expected;
    if (std::fscanf(answer, "%lld", &expected) != 1) return 1;
    return !(std::fscanf(output, "%lld", &found) == 1 && found == expected);
}

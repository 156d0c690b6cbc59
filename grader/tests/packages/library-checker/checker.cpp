// Compares one number.
#include <fstream>

int main(int, char *arguments[]) {
    std::ifstream output(arguments[2]), answer(arguments[3]);
    long long found, expected;
    answer >> expected;
    return !(output >> found && found == expected);
}

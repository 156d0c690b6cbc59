// Accepts any legal board of the size that is the last argument: BAPCtools puts words in front of it.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

const std::string QUEEN = QUEEN_TEXT, BLANK = BLANK_TEXT, SEPARATOR = SEPARATOR_TEXT;
std::string feedback;

[[noreturn]] void reject(const std::string &why) {
    std::ofstream(feedback + "/judgemessage.txt") << why << '\n';
    std::exit(43);
}

int main(int argc, char **argv) {
    if (argc < 5) return 1;
    feedback = argv[3];
    const int size = std::atoi(argv[argc - 1]);
    std::set<int> columns, up, down;
    std::string line;
    for (int row = 0; row < size; row++) {
        if (!std::getline(std::cin, line)) reject("fewer rows than expected");
        size_t at = 0;
        for (int column = 0; column < size; column++) {
            if (column > 0) {
                if (line.compare(at, SEPARATOR.size(), SEPARATOR) != 0) reject("a row of another form");
                at += SEPARATOR.size();
            }
            if (line.compare(at, QUEEN.size(), QUEEN) == 0) {
                if (!columns.insert(column).second || !up.insert(row + column).second ||
                    !down.insert(row - column).second)
                    reject("two queens attack each other");
                at += QUEEN.size();
            } else if (line.compare(at, BLANK.size(), BLANK) == 0) {
                at += BLANK.size();
            } else {
                reject("a row of another form");
            }
        }
        if (at != line.size()) reject("a row is too long");
        if (columns.size() != row + 1u) reject("a row without a queen, or with several");
    }
    if (std::getline(std::cin, line)) reject("more rows than expected");
    return 42;
}

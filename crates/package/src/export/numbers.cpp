// Accepts whole numbers from the smallest to the largest of the tests.
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

// Whether each line has numbers in their shortest form, with one blank between them.
const bool IS_PLAIN = PLAIN_VALUE;

int main() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    std::string plain;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line); plain += '\n') {
        std::istringstream words(line);
        std::string gap;
        for (std::string word; words >> word; gap = " ") {
            size_t end = 0;
            long long value = 0;
            try {
                value = std::stoll(word, &end);
            } catch (...) {
                return 43;
            }
            if (end != word.size() || value < SMALLESTLL || value > LARGESTLL) return 43;
            plain += gap + std::to_string(value);
        }
    }
    return IS_PLAIN && text != plain ? 43 : 42;
}

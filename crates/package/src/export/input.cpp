// Accepts inputs of the tests' shape, with whole numbers from the smallest to the largest of the tests.
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// The smallest and the largest value.
using Range = std::pair<long long, long long>;
using Line = std::vector<Range>;
const std::vector<Line> LINES = {RANGES};

int main() {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}}, expected;
    std::istringstream in(text);
    for (const auto &line : LINES) {
        for (const auto &[smallest, largest] : line) {
            long long value;
            if (!(in >> value) || value < smallest || value > largest) return 43;
            if (&smallest != &line[0].first) expected += ' ';
            expected += std::to_string(value);
        }
        expected += '\n';
    }
    return text == expected ? 42 : 43;
}

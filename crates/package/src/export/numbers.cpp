// Accepts whole numbers from the smallest to the largest of the tests, with any white space between them.
#include <iostream>
#include <string>

int main() {
    for (std::string word; std::cin >> word;) {
        size_t end = 0;
        long long value = 0;
        try {
            value = std::stoll(word, &end);
        } catch (...) {
            return 43;
        }
        if (end != word.size() || value < SMALLESTLL || value > LARGESTLL) return 43;
    }
    return 42;
}

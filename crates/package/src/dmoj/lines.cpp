// DMOJ's checkers `sorted` (the mode `lines` or `words`), `easy` (`characters`) and `linecount` (`count`).
// Called as: INPUT OUTPUT ANSWER MODE
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using Texts = std::vector<std::string>;

bool is_blank(unsigned char c) { return std::isspace(c); }
bool ends_line(unsigned char c) { return c == '\n' || c == '\r'; }

std::string read(const char *path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The parts that are not empty.
Texts split(const std::string &text, bool (*separates)(unsigned char)) {
    Texts parts(1);
    for (char c : text)
        if (!separates(c)) parts.back() += c;
        else if (!parts.back().empty()) parts.emplace_back();
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

// Its words with one blank between them.
std::string joined(const std::string &line) {
    std::string text;
    for (auto &word : split(line, is_blank)) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string stripped(std::string line) {
    while (!line.empty() && is_blank(line.back())) line.pop_back();
    return line.substr(std::find_if_not(line.begin(), line.end(), is_blank) - line.begin());
}

// What is compared.
Texts parts(const char *path, const std::string &mode) {
    auto text = read(path);
    auto all = split(text, mode == "words" ? is_blank : ends_line);
    if (mode == "lines") std::transform(all.begin(), all.end(), all.begin(), joined);
    if (mode == "count") std::transform(all.begin(), all.end(), all.begin(), stripped);
    if (mode == "characters") {
        all.clear();
        for (unsigned char c : text)
            if (!is_blank(c)) all.emplace_back(1, static_cast<char>(std::tolower(c)));
    }
    if (mode != "count") std::sort(all.begin(), all.end());
    return all;
}

int main(int, char *arguments[]) {
    std::string mode = arguments[4];
    auto output = parts(arguments[2], mode), answer = parts(arguments[3], mode);
    if (mode != "count" || output.size() > answer.size()) return output != answer;
    size_t same = 0;
    for (size_t i = 0; i < output.size(); i++) same += output[i] == answer[i];
    if (same == answer.size() || same == 0) return same != answer.size();
    std::fprintf(stderr, "points %.6f\n", static_cast<double>(same) / static_cast<double>(answer.size()));
    return 7;
}

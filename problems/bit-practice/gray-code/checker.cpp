// Checks a Gray code of n bits: checker INPUT OUTPUT ANSWER N ORDER
//
// N is the number of bits; ORDER is "any" or "reflected". Follows the protocol of testlib without using it: the exit
// status is the verdict, and standard error is the message, in English and Chinese. Lines below the first are shown
// to the student as they stand.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using std::string;
using std::to_string;
using std::vector;

enum Verdict { OK = 0, WRONG = 1, LAYOUT = 2, FAIL = 3 };

struct Result {
    Verdict verdict;
    string message;
};

// A piece of the student's output, short enough for a message.
static string quoted(const string &text) {
    return "`" + (text.size() > 40 ? text.substr(0, 40) + "..." : text) + "`";
}

static Result wrong(const string &english, const string &chinese, const string &drawing = "") {
    return {WRONG, english + " / " + chinese + drawing};
}

// The lines without spaces at their ends and without blank lines at the end.
static vector<string> read_lines(std::istream &file) {
    vector<string> lines;
    for (string line; std::getline(file, line);) {
        line.erase(line.find_last_not_of(" \t\r\v\f") + 1);
        lines.push_back(line);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

static bool is_code(const string &line, size_t n) {
    return line.size() == n && line.find_first_not_of("01") == string::npos;
}

// Two neighbouring lines, with marks below the digits that change.
static string drawing(const vector<string> &codes, size_t first) {
    string marks;
    for (size_t i = 0; i < codes[first].size(); i++) marks += codes[first][i] == codes[first + 1][i] ? ' ' : '^';
    string number = to_string(first + 1), next = to_string(first + 2);
    number.insert(0, next.size() - number.size(), ' ');
    return "\n" + number + "  " + codes[first] + "\n" + next + "  " + codes[first + 1] + "\n" +
           string(next.size() + 2, ' ') + marks;
}

// Judges 2^n codes of n digits each.
static Result judge_codes(const vector<string> &codes, size_t n, bool reflected) {
    std::map<string, size_t> seen;
    for (size_t i = 0; i < codes.size(); i++) {
        string place = to_string(i + 1);
        auto [earlier, is_new] = seen.emplace(codes[i], i);
        if (!is_new) {
            string other = to_string(earlier->second + 1);
            return wrong("lines " + other + " and " + place + " are the same code " + quoted(codes[i]),
                         "第 " + other + " 行与第 " + place + " 行是同一个编码 " + quoted(codes[i]));
        }
        if (i == 0) continue;
        int changed = 0;
        for (size_t digit = 0; digit < n; digit++) changed += codes[i][digit] != codes[i - 1][digit];
        if (changed != 1) {
            return wrong("from line " + to_string(i) + " to line " + place + " " + to_string(changed) +
                             " digits change: exactly one may",
                         "从第 " + to_string(i) + " 行到第 " + place + " 行有 " + to_string(changed) +
                             " 位改变：只能改变一位",
                         drawing(codes, i - 1));
        }
    }
    for (size_t i = 0; reflected && i < codes.size(); i++) {
        string expected;
        for (size_t digit = n; digit-- > 0;) expected += (i ^ i >> 1) >> digit & 1 ? '1' : '0';
        if (codes[i] != expected) {
            string place = to_string(i + 1);
            return wrong("a Gray code, but not the reflected one: on line " + place + " expected " + quoted(expected) +
                             ", found " + quoted(codes[i]),
                         "这是格雷码，但不是反射格雷码：第 " + place + " 行应为 " + quoted(expected) + "，实为 " +
                             quoted(codes[i]));
        }
    }
    return {OK, ""};
}

static Result judge(const vector<string> &lines, size_t n, bool reflected) {
    if (lines.empty()) return wrong("the program printed nothing", "程序没有任何输出");
    size_t count = size_t{1} << n;
    if (lines.size() != count) {
        return wrong("expected " + to_string(count) + " lines, found " + to_string(lines.size()),
                     "应有 " + to_string(count) + " 行，实有 " + to_string(lines.size()) + " 行");
    }
    auto bad = std::find_if_not(lines.begin(), lines.end(), [n](const string &line) { return is_code(line, n); });
    if (bad == lines.end()) return judge_codes(lines, n, reflected);

    // The right codes with spaces between their digits, or without leading zeros?
    vector<string> codes = lines;
    bool readable = true;
    for (string &code : codes) {
        code.erase(std::remove_if(code.begin(), code.end(), [](char c) { return c == ' ' || c == '\t'; }), code.end());
        if (code.size() < n) code.insert(0, n - code.size(), '0');
        readable &= is_code(code, n);
    }
    if (readable && judge_codes(codes, n, reflected).verdict == OK) {
        return {LAYOUT, "the right codes, but not written as " + to_string(n) + " digits each, without spaces / " +
                            "编码都对，但应各写成 " + to_string(n) + " 位数字，中间不留空白"};
    }
    string place = to_string(bad - lines.begin() + 1);
    return wrong("line " + place + ": expected " + to_string(n) + " binary digits, found " + quoted(*bad),
                 "第 " + place + " 行：应为 " + to_string(n) + " 位二进制数字，实为 " + quoted(*bad));
}

int main(int argc, char **argv) {
    if (argc != 6) {
        std::cerr << "usage: checker INPUT OUTPUT ANSWER N ORDER\n";
        return FAIL;
    }
    std::ifstream output(argv[2]);
    Result result = judge(read_lines(output), std::atoi(argv[4]), string(argv[5]) == "reflected");
    std::cerr << result.message << "\n";
    return result.verdict;
}

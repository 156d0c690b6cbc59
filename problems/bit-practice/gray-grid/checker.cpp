// Checks a Gray grid: checker INPUT OUTPUT ANSWER M N
//
// The grid has 2^M rows and 2^N columns. Follows the protocol of testlib without using it: the exit status is the
// verdict, and standard error is the message, in English and Chinese. Lines below the first are shown to the student
// as they stand.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
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

using Grid = vector<vector<string>>;

// A piece of the student's output, short enough for a message.
static string quoted(const string &text) {
    return "`" + (text.size() > 40 ? text.substr(0, 40) + "..." : text) + "`";
}

static Result wrong(const string &english, const string &chinese, const string &drawing = "") {
    return {WRONG, english + " / " + chinese + drawing};
}

static string place(size_t row, size_t column) {
    return "row " + to_string(row + 1) + ", column " + to_string(column + 1);
}

static string place_zh(size_t row, size_t column) {
    return "第 " + to_string(row + 1) + " 行第 " + to_string(column + 1) + " 列";
}

// The words of each line, without blank lines at the end.
static Grid read_grid(std::istream &file) {
    Grid grid;
    for (string line; std::getline(file, line);) {
        std::istringstream words(line);
        grid.emplace_back();
        for (string word; words >> word;) grid.back().push_back(word);
    }
    while (!grid.empty() && grid.back().empty()) grid.pop_back();
    return grid;
}

static bool is_code(const string &word, size_t digits) {
    return word.size() == digits && word.find_first_not_of("01") == string::npos;
}

// Judges a grid of the right shape in which every word is a code.
static Result judge_codes(const Grid &grid) {
    std::map<string, std::pair<size_t, size_t>> seen;
    for (size_t row = 0; row < grid.size(); row++) {
        for (size_t column = 0; column < grid[row].size(); column++) {
            const string &code = grid[row][column];
            auto [earlier, is_new] = seen.emplace(code, std::make_pair(row, column));
            if (!is_new) {
                auto [r, c] = earlier->second;
                return wrong(place(r, c) + " and " + place(row, column) + " hold the same code " + quoted(code),
                             place_zh(r, c) + "与" + place_zh(row, column) + "是同一个编码 " + quoted(code));
            }
            for (auto [r, c] : {std::make_pair(row, column - 1), std::make_pair(row - 1, column)}) {
                if ((c == column && row == 0) || (r == row && column == 0)) continue;
                const string &other = grid[r][c];
                string marks;
                for (size_t i = 0; i < code.size(); i++) marks += code[i] == other[i] ? ' ' : '^';
                long changed = std::count(marks.begin(), marks.end(), '^');
                if (changed != 1) {
                    return wrong(place(r, c) + " and " + place(row, column) + " are neighbours and differ in " +
                                     to_string(changed) + " digits: exactly one may differ",
                                 place_zh(r, c) + "与" + place_zh(row, column) + "相邻，有 " + to_string(changed) +
                                     " 位不同：只能有一位不同",
                                 "\n" + other + "\n" + code + "\n" + marks);
                }
            }
        }
    }
    return {OK, ""};
}

static Result judge(const Grid &grid, size_t m, size_t n) {
    size_t rows = size_t{1} << m, columns = size_t{1} << n, digits = m + n;
    if (grid.empty()) return wrong("the program printed nothing", "程序没有任何输出");

    // The right words on other lines, or without leading zeros?
    Grid loose(1);
    bool readable = true;
    for (const auto &row : grid) {
        for (string word : row) {
            if (word.size() < digits) word.insert(0, digits - word.size(), '0');
            readable &= is_code(word, digits);
            if (loose.back().size() == columns) loose.emplace_back();
            loose.back().push_back(word);
        }
    }
    readable &= loose.size() == rows && loose.back().size() == columns;
    if (readable && loose == grid) return judge_codes(grid);
    if (readable && judge_codes(loose).verdict == OK) {
        string shape = to_string(rows) + " x " + to_string(columns);
        return {LAYOUT, "the right codes, but not written as " + shape + " words of " + to_string(digits) +
                            " digits each / 编码都对，但应写成 " + shape + " 个，每个 " + to_string(digits) + " 位"};
    }
    if (grid.size() != rows) {
        return wrong("expected " + to_string(rows) + " lines, found " + to_string(grid.size()),
                     "应有 " + to_string(rows) + " 行，实有 " + to_string(grid.size()) + " 行");
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < grid[row].size(); column++) {
            if (!is_code(grid[row][column], digits)) {
                return wrong(place(row, column) + ": expected " + to_string(digits) + " binary digits, found " +
                                 quoted(grid[row][column]),
                             place_zh(row, column) + "：应为 " + to_string(digits) + " 位二进制数字，实为 " +
                                 quoted(grid[row][column]));
            }
        }
        if (grid[row].size() != columns) {
            string number = to_string(row + 1), found = to_string(grid[row].size());
            return wrong("row " + number + ": expected " + to_string(columns) + " codes, found " + found,
                         "第 " + number + " 行：应有 " + to_string(columns) + " 个编码，实有 " + found + " 个");
        }
    }
    return judge_codes(grid);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        std::cerr << "usage: checker INPUT OUTPUT ANSWER M N\n";
        return FAIL;
    }
    std::ifstream output(argv[2]);
    Result result = judge(read_grid(output), std::atoi(argv[4]), std::atoi(argv[5]));
    std::cerr << result.message << "\n";
    return result.verdict;
}

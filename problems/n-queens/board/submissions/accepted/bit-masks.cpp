#include <bit>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Search {
    unsigned all;
    std::vector<int> queens;

    bool place(unsigned columns, unsigned left, unsigned right) {
        if (columns == all) return true;
        for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
            const unsigned queen = open & -open;
            queens.push_back(std::countr_zero(queen));
            if (place(columns | queen, (left | queen) << 1, (right | queen) >> 1)) return true;
            queens.pop_back();
        }
        return false;
    }
};

int main(int, char **argv) {
    const int n = std::atoi(argv[1]);
    Search search{(1u << n) - 1, {}};
    search.place(0, 0, 0);
    for (const int queen : search.queens) {
        std::string row(n, '#');
        row[queen] = 'Q';
        std::cout << row << '\n';
    }
}

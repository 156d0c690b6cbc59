#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>
#include <vector>

int main() {
    std::vector<int> column(8);
    std::iota(column.begin(), column.end(), 0);
    int solutions = 0;
    do {
        std::set<int> sums, differences;
        for (int row = 0; row < 8; ++row) {
            sums.insert(row + column[row]);
            differences.insert(row - column[row]);
        }
        if (sums.size() == 8 && differences.size() == 8) ++solutions;
    } while (std::next_permutation(column.begin(), column.end()));
    std::cout << solutions;
}

#include <cstdio>
#include <set>
#include <vector>

int n;
std::vector<std::vector<int>> solutions;
std::vector<int> board;
std::set<int> columns, sums, differences;

void search(int row) {
    if (row > n) {
        solutions.push_back(board);
        return;
    }
    for (int column = 1; column <= n; column++) {
        if (columns.count(column) || sums.count(row + column) || differences.count(row - column)) continue;
        columns.insert(column), sums.insert(row + column), differences.insert(row - column);
        board.push_back(column);
        search(row + 1);
        board.pop_back();
        columns.erase(column), sums.erase(row + column), differences.erase(row - column);
    }
}

int main() {
    scanf("%d", &n);
    search(1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++) printf("%d%c", solutions[i][j], j + 1 < n ? ' ' : '\n');
    printf("%zu\n", solutions.size());
}

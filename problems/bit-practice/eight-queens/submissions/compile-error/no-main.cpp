#include <vector>

class Solution {
public:
    int totalNQueens(int n) { return place(n, 0, 0, 0, 0); }

private:
    int place(int n, int row, int columns, int left, int right) {
        if (row == n) return 1;
        int total = 0;
        for (int free = ((1 << n) - 1) & ~(columns | left | right); free; free &= free - 1) {
            int bit = free & -free;
            total += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return total;
    }
};

class Solution {
public:
    int totalNQueens(int n) {
        all = (1 << n) - 1;
        return place(0, 0, 0);
    }

private:
    int all = 0;

    int place(int columns, int left, int right) {
        if (columns == all) return 1;
        int total = 0;
        for (int open = all & ~(columns | left | right); open; open &= open - 1) {
            int queen = open & -open;
            total += place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
        }
        return total;
    }
};

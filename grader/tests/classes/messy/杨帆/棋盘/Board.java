class Board {
    private final int[] column;

    Board(int n) {
        column = new int[n];
    }

    boolean solve(int row) {
        if (row == column.length) {
            return true;
        }
        for (int c = 0; c < column.length; c++) {
            column[row] = c;
            if (free(row) && solve(row + 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean free(int row) {
        for (int r = 0; r < row; r++) {
            int d = column[row] - column[r];
            if (d == 0 || d == row - r || d == r - row) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int q : column) {
            for (int c = 0; c < column.length; c++) {
                text.append(c == q ? 'Q' : '#');
            }
            text.append('\n');
        }
        return text.toString();
    }
}

public class Board {
    private final int n;
    private final int[] queens;

    Board(int n) {
        this.n = n;
        this.queens = new int[n];
    }

    private boolean safe(int row, int column) {
        for (int above = 0; above < row; above++) {
            if (queens[above] == column || Math.abs(queens[above] - column) == row - above) {
                return false;
            }
        }
        return true;
    }

    private boolean place(int row) {
        if (row == n) {
            return true;
        }
        for (int column = 0; column < n; column++) {
            if (safe(row, column)) {
                queens[row] = column;
                if (place(row + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    public static void main(String[] args) {
        Board board = new Board(Integer.parseInt(args[0]));
        board.place(0);
        StringBuilder text = new StringBuilder();
        for (int queen : board.queens) {
            for (int column = 0; column < board.n; column++) {
                text.append(column == queen ? 'Q' : '#');
            }
            text.append('\n');
        }
        System.out.print(text);
    }
}

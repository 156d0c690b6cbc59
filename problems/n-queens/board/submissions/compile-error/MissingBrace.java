public class MissingBrace {
    static int[] queens;

    static boolean safe(int row, int column) {
        for (int i = 0; i < row; i++) {
            if (queens[i] == column || Math.abs(queens[i] - column) == row - i) {
                return false;
            }
        return true;
    }

    static boolean place(int row) {
        if (row == queens.length) {
            return true;
        }
        for (int column = 0; column < queens.length; column++) {
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
        queens = new int[Integer.parseInt(args[0])];
        place(0);
        for (int queen : queens) {
            System.out.println("#".repeat(queen) + "Q" + "#".repeat(queens.length - queen - 1));
        }
    }
}

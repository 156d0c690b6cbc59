public class Board {
    static int n;
    static int[] queen;

    // 第 row 行能不能放在第 c 列
    static boolean 能放(int row, int c) {
        for (int r = 0; r < row; r++) {
            if (queen[r] == c || Math.abs(queen[r] - c) == row - r) {
                return false;
            }
        }
        return true;
    }

    static boolean place(int row) {
        if (row == n) {
            return true;
        }
        for (int c = 0; c < n; c++) {
            if (能放(row, c)) {
                queen[row] = c;
                if (place(row + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        queen = new int[n];
        place(0);
        for (int r = 0; r < n; r++) {
            StringBuilder line = new StringBuilder("#".repeat(n));
            line.setCharAt(queen[r], 'Q');
            System.out.println(line);
        }
    }
}

public class TwelveAtMost {
    static int n;
    static int count = 0;
    static int[] queen = new int[12];

    static boolean check(int row) {
        for (int i = 0; i < row; i++) {
            if (queen[i] == queen[row] || Math.abs(queen[i] - queen[row]) == row - i) {
                return false;
            }
        }
        return true;
    }

    static void place(int row) {
        if (row == n) {
            count++;
            return;
        }
        for (int c = 0; c < n; c++) {
            queen[row] = c;
            if (check(row)) {
                place(row + 1);
            }
        }
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        place(0);
        System.out.println(count);
    }
}

public class EightQueens {
    static int[] queen = new int[8];
    static int total = 0;

    static boolean safe(int row) {
        for (int i = 0; i < row; i++) {
            if (queen[i] == queen[row] || queen[i] - queen[row] == row - i) {
                return false;
            }
        }
        return true;
    }

    static void place(int row) {
        if (row == 8) {
            total++;
            return;
        }
        for (int c = 0; c < 8; c++) {
            queen[row] = c;
            if (safe(row)) {
                place(row + 1);
            }
        }
    }

    public static void main(String[] args) {
        place(0);
        System.out.println(total);
    }
}

public class AlwaysEight {
    static final int N = 8;
    static int[] queens = new int[N];

    static boolean place(int row) {
        if (row == N) {
            return true;
        }
        for (int c = 0; c < N; c++) {
            boolean ok = true;
            for (int i = 0; i < row; i++) {
                if (queens[i] == c || Math.abs(queens[i] - c) == row - i) {
                    ok = false;
                }
            }
            if (ok) {
                queens[row] = c;
                if (place(row + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    public static void main(String[] args) {
        place(0);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                System.out.print(queens[i] == j ? "Q" : "#");
            }
            System.out.println();
        }
    }
}

public class Heading {
    static int n;
    static int[] queens;

    static boolean place(int row) {
        if (row == n) {
            return true;
        }
        for (int c = 0; c < n; c++) {
            boolean ok = true;
            for (int i = 0; i < row; i++) {
                if (queens[i] == c || Math.abs(queens[i] - c) == row - i) {
                    ok = false;
                    break;
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
        n = Integer.parseInt(args[0]);
        queens = new int[n];
        place(0);
        System.out.println("A solution for " + n + " queens:");
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                System.out.print(queens[i] == j ? "Q" : "#");
            }
            System.out.println();
        }
    }
}

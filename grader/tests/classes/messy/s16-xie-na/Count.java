public class Count {
    static int[] queen = new int[8];
    static int n, total;

    static void place(int row) {
        if (row == n) {
            total++;
            return;
        }
        for (int c = 0; c < n; c++) {
            boolean safe = true;
            for (int r = 0; r < row; r++) {
                if (queen[r] == c || Math.abs(queen[r] - c) == row - r) {
                    safe = false;
                    break;
                }
            }
            if (safe) {
                queen[row] = c;
                place(row + 1);
            }
        }
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        place(0);
        System.out.println(total);
    }
}

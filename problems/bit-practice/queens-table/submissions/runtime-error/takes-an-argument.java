public class QueensTable {
    static int n;
    static int[] queen;

    static int count(int row) {
        if (row == n) {
            return 1;
        }
        int total = 0;
        for (int c = 0; c < n; c++) {
            boolean free = true;
            for (int r = 0; r < row; r++) {
                if (queen[r] == c || Math.abs(queen[r] - c) == row - r) {
                    free = false;
                }
            }
            if (free) {
                queen[row] = c;
                total += count(row + 1);
            }
        }
        return total;
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        queen = new int[n];
        System.out.println(count(0));
    }
}

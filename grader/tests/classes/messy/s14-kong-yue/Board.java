import java.util.Arrays;

public class Board {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int[] queen = new int[n];
        place(queen, 0);
        for (int q : queen) {
            char[] line = new char[n];
            Arrays.fill(line, '#');
            line[q] = 'Q';
            System.out.println(new String(line));
        }
    }

    // 回溯
    static boolean place(int[] queen, int row) {
        if (row == queen.length) {
            return true;
        }
        next:
        for (int c = 0; c < queen.length; c++) {
            for (int r = 0; r < row; r++) {
                if (queen[r] == c || Math.abs(queen[r] - c) == row - r) {
                    continue next;
                }
            }
            queen[row] = c;
            if (place(queen, row + 1)) {
                return true;
            }
        }
        return false;
    }
}

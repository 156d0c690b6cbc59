import java.util.Scanner;

public class FirstThree {
    static int n, total = 0;
    static int[] q;

    static boolean safe(int row, int col) {
        for (int i = 0; i < row; i++) {
            if (q[i] == col || Math.abs(q[i] - col) == row - i) return false;
        }
        return true;
    }

    static void place(int row) {
        if (row == n) {
            total++;
            if (total <= 3) {
                String s = "";
                for (int i = 0; i < n; i++) s += (i > 0 ? " " : "") + (q[i] + 1);
                System.out.println(s);
            }
            return;
        }
        for (int c = 0; c < n; c++) {
            if (safe(row, c)) {
                q[row] = c;
                place(row + 1);
            }
        }
    }

    public static void main(String[] args) {
        n = new Scanner(System.in).nextInt();
        q = new int[n];
        place(0);
        System.out.println(total);
    }
}

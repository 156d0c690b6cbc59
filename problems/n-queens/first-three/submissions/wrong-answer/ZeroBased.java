import java.util.Scanner;

public class ZeroBased {
    static int n;
    static int total;
    static int[] q;
    static boolean[] col;
    static boolean[] up;
    static boolean[] down;

    static void place(int row) {
        if (row == n) {
            total++;
            if (total <= 3) {
                for (int c : q) {
                    System.out.print(c + " ");
                }
                System.out.println();
            }
            return;
        }
        for (int c = 0; c < n; c++) {
            if (!col[c] && !up[row + c] && !down[row - c + n]) {
                q[row] = c;
                col[c] = up[row + c] = down[row - c + n] = true;
                place(row + 1);
                col[c] = up[row + c] = down[row - c + n] = false;
            }
        }
    }

    public static void main(String[] args) {
        n = new Scanner(System.in).nextInt();
        q = new int[n];
        col = new boolean[n];
        up = new boolean[2 * n];
        down = new boolean[2 * n + 1];
        place(0);
        System.out.println(total);
    }
}

import java.util.Scanner;

public class Diagonals {
    static int n;
    static int total;
    static int[] q = new int[14];
    static boolean[] col = new boolean[14];
    static boolean[] up = new boolean[20];
    static boolean[] down = new boolean[30];

    static void place(int row) {
        if (row > n) {
            total++;
            if (total <= 3) {
                for (int i = 1; i <= n; i++) {
                    System.out.print(q[i] + " ");
                }
                System.out.println();
            }
            return;
        }
        for (int c = 1; c <= n; c++) {
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
        place(1);
        System.out.println(total);
    }
}

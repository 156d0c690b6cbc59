import java.util.Scanner;

public class QueensTable {
    static int[] q = new int[13];

    static int count(int n, int row) {
        if (row == n) return 1;
        int sum = 0;
        for (int c = 0; c < n; c++) {
            boolean ok = true;
            for (int i = 0; i < row; i++)
                if (q[i] == c || Math.abs(q[i] - c) == row - i) ok = false;
            if (ok) {
                q[row] = c;
                sum += count(n, row + 1);
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        int[] table = new int[13];
        for (int n = 1; n <= 12; n++) table[n] = count(n, 0);
        Scanner in = new Scanner(System.in);
        while (true) {
            int n = in.nextInt();
            if (n == 0) break;
            System.out.println(table[n]);
        }
    }
}

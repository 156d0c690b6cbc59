import java.util.Scanner;

public class FirstThree {
    static int n;
    static int total;
    static int[] queen;

    static void place(int row, int columns, int left, int right) {
        if (row == n) {
            if (total++ < 3) {
                StringBuilder line = new StringBuilder();
                for (int c : queen) {
                    line.append(line.length() > 0 ? " " : "").append(c);
                }
                System.out.println(line);
            }
            return;
        }
        for (int c = 0; c < n; c++) {
            int bit = 1 << c;
            if (((columns | left | right) & bit) == 0) {
                queen[row] = c + 1;
                place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
            }
        }
    }

    public static void main(String[] args) {
        n = new Scanner(System.in).nextInt();
        queen = new int[n];
        place(0, 0, 0, 0);
        System.out.println(total);
    }
}

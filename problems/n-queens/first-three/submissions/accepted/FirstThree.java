import java.util.Scanner;

/** 按列号从小到大回溯,解自然按字典序出现;只打印前三个。 */
public class FirstThree {
    private static int n;
    private static int[] queens;
    private static long total;

    private static void place(int row, int columns, int left, int right) {
        if (row == n) {
            total++;
            if (total <= 3) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < n; i++) {
                    line.append(i == 0 ? "" : " ").append(queens[i]);
                }
                System.out.println(line);
            }
            return;
        }
        int open = ((1 << n) - 1) & ~(columns | left | right);
        while (open != 0) {
            int queen = open & -open;
            open ^= queen;
            queens[row] = Integer.numberOfTrailingZeros(queen) + 1;
            place(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
        }
    }

    public static void main(String[] args) {
        n = new Scanner(System.in).nextInt();
        queens = new int[n];
        place(0, 0, 0, 0);
        System.out.println(total);
    }
}

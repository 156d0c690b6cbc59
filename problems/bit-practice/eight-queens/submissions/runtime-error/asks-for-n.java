import java.util.Scanner;

public class Main {
    static int n, total;

    static void place(int row, int columns, int left, int right) {
        if (row == n) {
            total++;
            return;
        }
        int free = ((1 << n) - 1) & ~(columns | left | right);
        while (free != 0) {
            int bit = free & -free;
            free ^= bit;
            place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        n = in.nextInt();
        place(0, 0, 0, 0);
        System.out.println(total);
    }
}

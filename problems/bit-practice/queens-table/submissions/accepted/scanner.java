import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;

public class QueensTable {
    private static int place(int full, int columns, int left, int right) {
        if (columns == full) {
            return 1;
        }
        int total = 0;
        for (int free = full & ~(columns | left | right); free != 0; free &= free - 1) {
            int bit = free & -free;
            total += place(full, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return total;
    }

    public static void main(String[] args) {
        Map<Integer, Integer> known = new HashMap<>();
        Scanner in = new Scanner(System.in);
        for (int n = in.nextInt(); n != 0; n = in.nextInt()) {
            System.out.println(known.computeIfAbsent(n, k -> place((1 << k) - 1, 0, 0, 0)));
        }
    }
}

/** 位运算计数:只搜第一行的左半边,再按左右对称加倍。 */
public class Count {
    private static int all;

    private static long search(int columns, int left, int right) {
        if (columns == all) {
            return 1;
        }
        long total = 0;
        int open = all & ~(columns | left | right);
        while (open != 0) {
            int queen = open & -open;
            open ^= queen;
            total += search(columns | queen, (left | queen) << 1, (right | queen) >> 1);
        }
        return total;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        all = (1 << n) - 1;
        long total = 0;
        for (int column = 0; column < n / 2; column++) {
            int queen = 1 << column;
            total += 2 * search(queen, queen << 1, queen >> 1);
        }
        if (n % 2 == 1) {
            int queen = 1 << (n / 2);
            total += search(queen, queen << 1, queen >> 1);
        }
        System.out.println(total);
    }
}

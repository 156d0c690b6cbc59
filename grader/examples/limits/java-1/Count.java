public class Count {
    static int n;
    static long count = 0;

    static void solve(int row, int cols, int left, int right) {
        if (row == n) {
            count++;
            return;
        }
        for (int i = 0; i < n; i++) {
            int bit = 1 << i;
            if (((cols | left | right) & bit) != 0) continue;
            solve(row + 1, cols | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        solve(0, 0, 0, 0);
        System.out.println(count);
    }
}

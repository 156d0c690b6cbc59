import java.util.Random;

public class Polynomial {
    static int n;
    static int[] queen;
    static int[] dp, dn;
    static Random random = new Random();

    static void shuffle() {
        for (int i = 0; i < n; i++) queen[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int t = queen[i];
            queen[i] = queen[j];
            queen[j] = t;
        }
        dp = new int[2 * n];
        dn = new int[2 * n];
        for (int i = 0; i < n; i++) {
            dp[i + queen[i]]++;
            dn[i - queen[i] + n]++;
        }
    }

    static int count() {
        int c = 0;
        for (int i = 0; i < 2 * n; i++) {
            if (dp[i] > 1) c += dp[i] - 1;
            if (dn[i] > 1) c += dn[i] - 1;
        }
        return c;
    }

    static boolean attacked(int i) {
        return dp[i + queen[i]] > 1 || dn[i - queen[i] + n] > 1;
    }

    static int remove(int i) {
        int c = 0;
        if (--dp[i + queen[i]] > 0) c--;
        if (--dn[i - queen[i] + n] > 0) c--;
        return c;
    }

    static int add(int i) {
        int c = 0;
        if (++dp[i + queen[i]] > 1) c++;
        if (++dn[i - queen[i] + n] > 1) c++;
        return c;
    }

    static int swap(int i, int j) {
        int change = remove(i) + remove(j);
        int t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
        return change + add(i) + add(j);
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        queen = new int[n];
        while (true) {
            shuffle();
            int collisions = count();
            boolean better = true;
            while (better && collisions > 0) {
                better = false;
                for (int i = 0; i < n && collisions > 0; i++) {
                    for (int j = i + 1; j < n && collisions > 0; j++) {
                        if (!attacked(i) && !attacked(j)) continue;
                        int change = swap(i, j);
                        if (change < 0) {
                            collisions += change;
                            better = true;
                        } else {
                            swap(i, j);
                        }
                    }
                }
            }
            if (collisions == 0) break;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) out.append(queen[i] + 1).append(' ');
        System.out.println(out);
    }
}

import java.util.Random;

public class TenThousandAtMost {
    static final int MAX = 10001;
    static int n;
    static int[] queens = new int[MAX];
    static int[] up = new int[2 * MAX];
    static int[] down = new int[2 * MAX];
    static Random random = new Random();

    static void put(int row, int step) {
        up[row + queens[row]] += step;
        down[row - queens[row] + n] += step;
    }

    static boolean attacked(int row) {
        return up[row + queens[row]] > 1 || down[row - queens[row] + n] > 1;
    }

    static void exchange(int a, int b) {
        put(a, -1);
        put(b, -1);
        int column = queens[a];
        queens[a] = queens[b];
        queens[b] = column;
        put(a, 1);
        put(b, 1);
    }

    static boolean attempt() {
        java.util.Arrays.fill(up, 0);
        java.util.Arrays.fill(down, 0);
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            queens[i] = queens[j];
            queens[j] = i;
        }
        for (int i = 0; i < n; i++) {
            put(i, 1);
        }
        for (int round = 0; round < 60; round++) {
            boolean clean = true;
            for (int row = 0; row < n; row++) {
                for (int tries = 0; attacked(row) && tries < 60; tries++) {
                    clean = false;
                    int other = random.nextInt(n);
                    if (other == row) {
                        continue;
                    }
                    exchange(row, other);
                    if (attacked(row) || attacked(other)) {
                        exchange(row, other);
                    }
                }
            }
            if (clean) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        while (!attempt()) {
            continue;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append(queens[i] + 1).append(' ');
        }
        System.out.println(text);
    }
}

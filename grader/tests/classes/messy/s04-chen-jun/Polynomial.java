import java.util.Random;

public class Polynomial {
    static int n;
    static int[] queen = new int[5000];
    static int[] up = new int[10000];
    static int[] down = new int[10000];
    static Random random = new Random(42);

    static void add(int row, int by) {
        up[row + queen[row]] += by;
        down[row - queen[row] + n] += by;
    }

    static int attacks(int row) {
        return up[row + queen[row]] + down[row - queen[row] + n] - 2;
    }

    static void swap(int i, int j) {
        add(i, -1);
        add(j, -1);
        int t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
        add(i, 1);
        add(j, 1);
    }

    static void shuffle() {
        java.util.Arrays.fill(up, 0);
        java.util.Arrays.fill(down, 0);
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            queen[i] = queen[j];
            queen[j] = i;
        }
        for (int i = 0; i < n; i++) {
            add(i, 1);
        }
    }

    static boolean search() {
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < n; i++) {
                for (int tries = 0; attacks(i) > 0 && tries < 1000; tries++) {
                    int j = random.nextInt(n);
                    int before = attacks(i) + attacks(j);
                    swap(i, j);
                    if (attacks(i) + attacks(j) >= before) {
                        swap(i, j);
                    }
                }
            }
            boolean solved = true;
            for (int i = 0; i < n; i++) {
                solved &= attacks(i) == 0;
            }
            if (solved) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        do {
            shuffle();
        } while (!search());
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < n; i++) {
            line.append(queen[i] + 1).append(' ');
        }
        System.out.println(line.toString().trim());
    }
}

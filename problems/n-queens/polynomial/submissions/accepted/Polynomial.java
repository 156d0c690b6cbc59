import java.util.Random;

/** Sosic 与 Gu 的局部搜索:先随机放好绝大多数皇后,再用交换修好剩下的几个。 */
public class Polynomial {
    private final int n;
    private final int[] queens;
    private final int[] rising;
    private final int[] falling;
    private final Random random = new Random();

    Polynomial(int n) {
        this.n = n;
        queens = new int[n];
        rising = new int[2 * n];
        falling = new int[2 * n];
    }

    private void put(int row, int step) {
        rising[row + queens[row]] += step;
        falling[row - queens[row] + n] += step;
    }

    private boolean attacked(int row, int own) {
        return rising[row + queens[row]] > own || falling[row - queens[row] + n] > own;
    }

    private void swap(int a, int b) {
        int column = queens[a];
        queens[a] = queens[b];
        queens[b] = column;
    }

    private void exchange(int a, int b) {
        put(a, -1);
        put(b, -1);
        swap(a, b);
        put(a, 1);
        put(b, 1);
    }

    private boolean attempt() {
        java.util.Arrays.fill(rising, 0);
        java.util.Arrays.fill(falling, 0);
        for (int i = 0; i < n; i++) {
            queens[i] = i;
        }
        int placed = 0;
        for (long tries = 0; tries < 4L * n && placed < n; tries++) {
            swap(placed, placed + random.nextInt(n - placed));
            if (!attacked(placed, 0)) {
                put(placed++, 1);
            }
        }
        for (int row = placed; row < n; row++) {
            put(row, 1);
        }
        for (int row = placed; row < n; row++) {
            for (int tries = 0; attacked(row, 1); tries++) {
                if (tries == 7000) {
                    return false;
                }
                int other = random.nextInt(n);
                if (other == row) {
                    continue;
                }
                exchange(row, other);
                if (attacked(row, 1) || attacked(other, 1)) {
                    exchange(row, other);
                }
            }
        }
        return true;
    }

    public static void main(String[] args) {
        Polynomial board = new Polynomial(Integer.parseInt(args[0]));
        while (!board.attempt()) {
            // a new attempt draws other numbers
        }
        StringBuilder text = new StringBuilder();
        for (int column : board.queens) {
            text.append(column + 1).append(' ');
        }
        System.out.println(text);
    }
}

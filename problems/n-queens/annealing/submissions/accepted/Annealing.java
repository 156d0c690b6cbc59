import java.util.Random;

/** 模拟退火:能量为同一对角线上相互攻击的皇后对数,温度按等比下降,失败则重新开始。 */
public class Annealing {
    private final int n;
    private final int[] queens;
    private final int[] rising;
    private final int[] falling;
    private final Random random = new Random();

    Annealing(int n) {
        this.n = n;
        queens = new int[n];
        rising = new int[2 * n];
        falling = new int[2 * n];
    }

    private int add(int row) {
        return rising[row + queens[row]]++ + falling[row - queens[row] + n]++;
    }

    private int remove(int row) {
        return -(--rising[row + queens[row]]) - (--falling[row - queens[row] + n]);
    }

    private int exchange(int a, int b) {
        int change = remove(a) + remove(b);
        int column = queens[a];
        queens[a] = queens[b];
        queens[b] = column;
        return change + add(a) + add(b);
    }

    private boolean anneal() {
        java.util.Arrays.fill(rising, 0);
        java.util.Arrays.fill(falling, 0);
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            queens[i] = queens[j];
            queens[j] = i;
        }
        int pairs = 0;
        for (int row = 0; row < n; row++) {
            pairs += add(row);
        }
        for (double temperature = 1.0; temperature > 0.05; temperature *= 0.97) {
            for (int step = 0; step < 10 * n; step++) {
                if (pairs == 0) {
                    return true;
                }
                int a = random.nextInt(n);
                int b = random.nextInt(n);
                if (a == b) {
                    continue;
                }
                int change = exchange(a, b);
                if (change <= 0 || random.nextDouble() < Math.exp(-change / temperature)) {
                    pairs += change;
                } else {
                    exchange(a, b);
                }
            }
        }
        return pairs == 0;
    }

    public static void main(String[] args) {
        Annealing board = new Annealing(Integer.parseInt(args[0]));
        while (!board.anneal()) {
            // frozen with attacked queens left: begin again
        }
        StringBuilder line = new StringBuilder();
        for (int column : board.queens) {
            line.append(column + 1).append(' ');
        }
        System.out.println(line.toString().trim());
    }
}

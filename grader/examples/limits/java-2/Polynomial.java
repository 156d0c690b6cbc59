import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** An attacked queen is exchanged with a random one as long as that helps. */
public class Polynomial {
    private final int n;
    private final List<Integer> queens = new ArrayList<>();
    private int[] up;
    private int[] down;
    private final Random random = new Random();

    Polynomial(int n) {
        this.n = n;
        for (int i = 0; i < n; i++) {
            queens.add(i);
        }
    }

    private void place(int row, int by) {
        up[row + queens.get(row)] += by;
        down[row - queens.get(row) + n] += by;
    }

    private int attacks(int row) {
        return up[row + queens.get(row)] + down[row - queens.get(row) + n] - 2;
    }

    private void exchange(int i, int j) {
        place(i, -1);
        place(j, -1);
        Collections.swap(queens, i, j);
        place(i, 1);
        place(j, 1);
    }

    private boolean search() {
        Collections.shuffle(queens, random);
        up = new int[2 * n];
        down = new int[2 * n];
        for (int i = 0; i < n; i++) {
            place(i, 1);
        }
        for (int round = 0; round < 1000; round++) {
            boolean solved = true;
            for (int i = 0; i < n; i++) {
                if (attacks(i) == 0) {
                    continue;
                }
                solved = false;
                int j = random.nextInt(n);
                if (i == j) {
                    continue;
                }
                int before = attacks(i) + attacks(j);
                exchange(i, j);
                if (attacks(i) + attacks(j) >= before) {
                    exchange(i, j);
                }
            }
            if (solved) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) {
        Polynomial board = new Polynomial(Integer.parseInt(args[0]));
        while (!board.search()) {
        }
        for (int column : board.queens) {
            System.out.print((column + 1) + " ");
        }
        System.out.println();
    }
}

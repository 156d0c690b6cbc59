import java.util.Random;

public class Annealing {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        Random random = new Random();
        int[] queen = new int[n];
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            queen[i] = queen[j];
            queen[j] = i;
        }
        int energy = energy(queen);
        double temperature = 1.0;
        while (energy > 0) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            int before = attacks(queen, i) + attacks(queen, j);
            swap(queen, i, j);
            int after = attacks(queen, i) + attacks(queen, j);
            if (after <= before || random.nextDouble() < Math.exp((before - after) / temperature)) {
                energy = energy(queen);
            } else {
                swap(queen, i, j);
            }
            temperature = Math.max(0.25, temperature * 0.9995);
        }
        for (int i = 0; i < n; i++) {
            System.out.print(queen[i] + 1 + (i < n - 1 ? " " : "\n"));
        }
    }

    static void swap(int[] queen, int i, int j) {
        int t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }

    static int attacks(int[] queen, int i) {
        int count = 0;
        for (int j = 0; j < queen.length; j++) {
            if (j != i && Math.abs(queen[i] - queen[j]) == Math.abs(i - j)) {
                count++;
            }
        }
        return count;
    }

    static int energy(int[] queen) {
        int sum = 0;
        for (int i = 0; i < queen.length; i++) {
            sum += attacks(queen, i);
        }
        return sum / 2;
    }
}

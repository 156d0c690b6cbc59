import java.util.Random;

public class Annealing {
    static int energy(int[] q) {
        int e = 0;
        for (int i = 0; i < q.length; i++)
            for (int j = i + 1; j < q.length; j++)
                if (Math.abs(q[i] - q[j]) == j - i) e++;
        return e;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        Random random = new Random();
        int[] q = new int[n];
        for (int i = 0; i < n; i++) q[i] = i;
        int e = energy(q);
        double t = 5;
        while (e > 0) {
            int i = random.nextInt(n), j = random.nextInt(n);
            int h = q[i];
            q[i] = q[j];
            q[j] = h;
            int f = energy(q);
            if (f <= e || random.nextDouble() < Math.exp((e - f) / t)) {
                e = f;
            } else {
                h = q[i];
                q[i] = q[j];
                q[j] = h;
            }
            t *= 0.9995;
            if (t < 0.05) t = 5;
        }
        for (int c : q) System.out.print((c + 1) + " ");
        System.out.println();
    }
}

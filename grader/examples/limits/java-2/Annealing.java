public class Annealing {
    static int n;
    static int[] x;

    static int collisions() {
        int[] a = new int[2 * n], b = new int[2 * n];
        int c = 0;
        for (int i = 0; i < n; i++) {
            if (a[i + x[i]]++ > 0) c++;
            if (b[i - x[i] + n]++ > 0) c++;
        }
        return c;
    }

    static void swap(int i, int j) {
        int t = x[i];
        x[i] = x[j];
        x[j] = t;
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        x = new int[n];
        for (int i = 0; i < n; i++) x[i] = i;
        int c = collisions();
        while (c > 0) {
            for (double t = 10; t > 0.05 && c > 0; t *= 0.98) {
                for (int k = 0; k < 5 * n && c > 0; k++) {
                    int i = (int) (Math.random() * n), j = (int) (Math.random() * n);
                    swap(i, j);
                    int d = collisions() - c;
                    if (d <= 0 || Math.random() < Math.exp(-d / t)) c += d;
                    else swap(i, j);
                }
            }
        }
        for (int i = 0; i < n; i++) System.out.println(x[i] + 1);
    }
}

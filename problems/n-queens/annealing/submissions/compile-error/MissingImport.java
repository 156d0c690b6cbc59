public class MissingImport {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int[] q = new int[n];
        for (int i = 0; i < n; i++) {
            q[i] = i + 1;
        }
        Random random = new Random();
        double t = 10;
        int now = energy(q);
        while (now > 0) {
            int a = random.nextInt(n);
            int b = random.nextInt(n);
            int c = q[a];
            q[a] = q[b];
            q[b] = c;
            int next = energy(q);
            if (next > now && random.nextDouble() >= Math.exp((now - next) / t)) {
                q[b] = q[a];
                q[a] = c;
            } else {
                now = next;
            }
            t *= 0.999;
        }
        for (int column : q) {
            System.out.print(column + " ");
        }
    }

    static int energy(int[] q) {
        int sum = 0;
        for (int i = 0; i < q.length; i++) {
            for (int j = i + 1; j < q.length; j++) {
                if (Math.abs(q[i] - q[j]) == j - i) {
                    sum++;
                }
            }
        }
        return sum;
    }
}

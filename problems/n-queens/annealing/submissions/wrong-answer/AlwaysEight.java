import java.util.Random;

public class AlwaysEight {
    static final int N = 8;
    static int[] q = new int[N];

    static int conflicts() {
        int sum = 0;
        for (int i = 0; i < N; i++) {
            for (int j = i + 1; j < N; j++) {
                if (Math.abs(q[i] - q[j]) == j - i) {
                    sum++;
                }
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        Random random = new Random();
        for (int i = 0; i < N; i++) {
            q[i] = i + 1;
        }
        double t = 100;
        int now = conflicts();
        while (now > 0) {
            int a = random.nextInt(N);
            int b = random.nextInt(N);
            int tmp = q[a];
            q[a] = q[b];
            q[b] = tmp;
            int next = conflicts();
            if (next > now && random.nextDouble() >= Math.exp((now - next) / t)) {
                q[b] = q[a];
                q[a] = tmp;
            } else {
                now = next;
            }
            t = t > 0.5 ? t * 0.99 : 100;
        }
        for (int i = 0; i < N; i++) {
            System.out.print(q[i] + " ");
        }
        System.out.println();
    }
}

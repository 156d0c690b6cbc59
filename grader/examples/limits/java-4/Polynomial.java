import java.util.*;

public class Polynomial {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        Random r = new Random();
        int[] x = new int[n], s, d;
        int total;
        long bad;
        do {
            for (int i = 0; i < n; i++) x[i] = i;
            for (int i = 0; i < n; i++) {
                int j = r.nextInt(n), t = x[i];
                x[i] = x[j];
                x[j] = t;
            }
            s = new int[2 * n];
            d = new int[2 * n];
            total = 0;
            for (int i = 0; i < n; i++) {
                if (s[i + x[i]]++ > 0) total++;
                if (d[i - x[i] + n]++ > 0) total++;
            }
            bad = 0;
            while (total > 0 && bad < 400L * n) {
                int i = r.nextInt(n), j = r.nextInt(n);
                bad++;
                if (i == j) continue;
                int delta = 0;
                int[] rows = {i, j};
                for (int k : rows) {
                    if (--s[k + x[k]] > 0) delta--;
                    if (--d[k - x[k] + n] > 0) delta--;
                }
                int t = x[i];
                x[i] = x[j];
                x[j] = t;
                for (int k : rows) {
                    if (++s[k + x[k]] > 1) delta++;
                    if (++d[k - x[k] + n] > 1) delta++;
                }
                if (delta < 0) {
                    total += delta;
                    bad = 0;
                    continue;
                }
                for (int k : rows) {
                    s[k + x[k]]--;
                    d[k - x[k] + n]--;
                }
                t = x[i];
                x[i] = x[j];
                x[j] = t;
                for (int k : rows) {
                    s[k + x[k]]++;
                    d[k - x[k] + n]++;
                }
            }
        } while (total > 0);
        for (int i = 0; i < n; i++) System.out.print(x[i] + 1 + (i + 1 < n ? " " : "\n"));
    }
}

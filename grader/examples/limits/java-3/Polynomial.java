public class Polynomial {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int[] q = new int[n];
        int[] a = new int[2 * n + 1];
        int[] b = new int[2 * n + 1];
        boolean done = false;
        while (!done) {
            for (int i = 0; i < n; i++) q[i] = i;
            java.util.Arrays.fill(a, 0);
            java.util.Arrays.fill(b, 0);
            int row = 0;
            for (int t = 0; t < 4 * n && row < n; t++) {
                int m = row + (int) (Math.random() * (n - row));
                int h = q[row];
                q[row] = q[m];
                q[m] = h;
                if (a[row + q[row]] == 0 && b[row - q[row] + n] == 0) {
                    a[row + q[row]]++;
                    b[row - q[row] + n]++;
                    row++;
                }
            }
            int placed = row;
            for (; row < n; row++) {
                a[row + q[row]]++;
                b[row - q[row] + n]++;
            }
            done = true;
            for (int i = placed; i < n && done; i++) {
                int tries = 0;
                while (a[i + q[i]] > 1 || b[i - q[i] + n] > 1) {
                    if (tries++ > 7000) {
                        done = false;
                        break;
                    }
                    int j = (int) (Math.random() * n);
                    if (i == j) continue;
                    a[i + q[i]]--;
                    b[i - q[i] + n]--;
                    a[j + q[j]]--;
                    b[j - q[j] + n]--;
                    if (a[i + q[j]] == 0 && b[i - q[j] + n] == 0 && a[j + q[i]] == 0 && b[j - q[i] + n] == 0
                            && i + q[j] != j + q[i] && i - q[j] != j - q[i]) {
                        int h = q[i];
                        q[i] = q[j];
                        q[j] = h;
                    }
                    a[i + q[i]]++;
                    b[i - q[i] + n]++;
                    a[j + q[j]]++;
                    b[j - q[j] + n]++;
                }
            }
        }
        for (int i = 0; i < n; i++) System.out.println(q[i] + 1);
    }
}

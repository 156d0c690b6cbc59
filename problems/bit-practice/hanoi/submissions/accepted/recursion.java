public class Hanoi {
    static int[] peg;

    static void state(int disc, long k, int from, int to, int other) {
        if (disc == 0) {
            return;
        }
        long half = 1L << (disc - 1);
        if (k < half) {
            peg[disc] = from;
            state(disc - 1, k, from, other, to);
        } else {
            peg[disc] = to;
            state(disc - 1, k - half, other, to, from);
        }
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        peg = new int[n + 1];
        state(n, Long.parseLong(args[1]), 1, 3, 2);
        StringBuilder line = new StringBuilder();
        for (int d = 1; d <= n; d++) {
            line.append(d > 1 ? " " : "").append(peg[d]);
        }
        System.out.println(line);
    }
}

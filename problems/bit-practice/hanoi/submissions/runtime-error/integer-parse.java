public class Hanoi {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int k = Integer.parseInt(args[1]);
        for (int d = 1; d <= n; d++) {
            long moves = (k + (1L << (d - 1))) >> d;
            long peg = (n - d) % 2 == 0 ? moves * 2 % 3 : moves % 3;
            System.out.print(peg + 1 + (d < n ? " " : "\n"));
        }
    }
}

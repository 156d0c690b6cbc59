public class Main {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        long k = Long.parseLong(args[1]);
        int from = 1, to = 3, other = 2;
        for (int disc = n; disc >= 1; disc--) {
            int t = other;
            if ((k >> (disc - 1)) % 2 == 1) {
                System.out.print(to + " ");
                other = from;
                from = t;
            } else {
                System.out.print(from + " ");
                other = to;
                to = t;
            }
        }
        System.out.println();
    }
}

import java.util.Scanner;

public class BinomialParity {
    /** How often two divides n!. */
    static long twos(long n) {
        return n - Long.bitCount(n);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLong()) {
            long n = in.nextLong();
            long k = in.nextLong();
            System.out.println(twos(n) == twos(k) + twos(n - k) ? "odd" : "even");
        }
    }
}

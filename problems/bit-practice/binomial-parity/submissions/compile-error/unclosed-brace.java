import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner sc = new Scanner(System.in);
        while (sc.hasNextLong()) {
            long n = sc.nextLong(), k = sc.nextLong();
            if ((n & k) == k) {
                System.out.println("odd");
            else
                System.out.println("even");
        }
    }
}

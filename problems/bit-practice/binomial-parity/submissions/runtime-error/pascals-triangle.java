import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        boolean[][] odd = new boolean[1001][1001];
        for (int n = 0; n <= 1000; n++) {
            odd[n][0] = odd[n][n] = true;
            for (int k = 1; k < n; k++) {
                odd[n][k] = odd[n - 1][k - 1] ^ odd[n - 1][k];
            }
        }
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            int n = in.nextInt();
            int k = in.nextInt();
            System.out.println(odd[n][k] ? "odd" : "even");
        }
    }
}

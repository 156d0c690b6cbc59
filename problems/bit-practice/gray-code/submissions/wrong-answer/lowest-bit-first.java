public class Main {
    public static void main(String[] args) {
        int n = Integer.valueOf(args[0]);
        for (int i = 0; i < Math.pow(2, n); i++) {
            int g = i ^ i / 2;
            for (int j = 0; j < n; j++) {
                System.out.print(g % 2);
                g = g / 2;
            }
            System.out.println();
        }
    }
}

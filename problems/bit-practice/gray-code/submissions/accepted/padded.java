public class GrayCode {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 1 << n; i++) {
            String digits = Integer.toBinaryString(i ^ (i >> 1));
            out.append("0".repeat(n - digits.length())).append(digits).append('\n');
        }
        System.out.print(out);
    }
}

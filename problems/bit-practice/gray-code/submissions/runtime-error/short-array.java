public class GrayCode {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int[] code = new int[256];
        int size = 1;
        for (int bit = 0; bit < n; bit++) {
            for (int i = 0; i < size; i++) {
                code[2 * size - 1 - i] = code[i] | size;
            }
            size *= 2;
        }
        for (int i = 0; i < size; i++) {
            String s = "";
            for (int b = n - 1; b >= 0; b--) {
                s += code[i] >> b & 1;
            }
            System.out.println(s);
        }
    }
}

public class GrayGrid {
    static String gray(int i, int digits) {
        StringBuilder s = new StringBuilder(Integer.toBinaryString(i ^ (i >>> 1)));
        while (s.length() < digits) {
            s.insert(0, '0');
        }
        return s.toString();
    }

    public static void main(String[] args) {
        int m = Integer.parseInt(args[0]);
        int n = Integer.parseInt(args[1]);
        for (int i = 0; i < 1 << m; i++) {
            StringBuilder line = new StringBuilder();
            for (int j = 0; j < 1 << n; j++) {
                line.append(gray(j, n)).append(gray(i, m)).append(' ');
            }
            System.out.println(line);
        }
    }
}

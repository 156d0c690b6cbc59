public class Grid {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int m = Integer.parseInt(args[1]);
        for (int i = 0; i < (1 << m); i++) {
            String line = "";
            for (int j = 0; j < (1 << n); j++) {
                int cell = (i ^ (i >> 1)) << n | (j ^ (j >> 1));
                String s = Integer.toBinaryString(cell);
                while (s.length() < m + n) {
                    s = "0" + s;
                }
                line += s + " ";
            }
            System.out.println(line.trim());
        }
    }
}

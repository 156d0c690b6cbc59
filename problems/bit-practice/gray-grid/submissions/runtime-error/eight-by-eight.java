public class GrayGrid {
    public static void main(String[] args) {
        int m = Integer.parseInt(args[0]);
        int n = Integer.parseInt(args[1]);
        String[][] grid = new String[8][8];
        for (int i = 0; i < Math.pow(2, m); i++) {
            for (int j = 0; j < Math.pow(2, n); j++) {
                int cell = (i ^ i >> 1) * (int) Math.pow(2, n) + (j ^ j >> 1);
                grid[i][j] = "";
                for (int b = m + n - 1; b >= 0; b--) {
                    grid[i][j] += (cell >> b) % 2;
                }
            }
        }
        for (int i = 0; i < 1 << m; i++) {
            for (int j = 0; j < 1 << n; j++) {
                System.out.print(grid[i][j] + " ");
            }
            System.out.println();
        }
    }
}

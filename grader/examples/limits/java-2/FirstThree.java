import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class FirstThree {
    private final int n;
    private final List<List<Integer>> solutions = new ArrayList<>();

    FirstThree(int n) {
        this.n = n;
    }

    private boolean isSafe(List<Integer> board, int column) {
        int row = board.size();
        for (int i = 0; i < row; i++) {
            int other = board.get(i);
            if (other == column || Math.abs(other - column) == row - i) {
                return false;
            }
        }
        return true;
    }

    private void solve(List<Integer> board) {
        if (board.size() == n) {
            solutions.add(new ArrayList<>(board));
            return;
        }
        for (int column = 1; column <= n; column++) {
            if (isSafe(board, column)) {
                board.add(column);
                solve(board);
                board.remove(board.size() - 1);
            }
        }
    }

    public static void main(String[] args) {
        FirstThree search = new FirstThree(new Scanner(System.in).nextInt());
        search.solve(new ArrayList<>());
        for (int i = 0; i < 3; i++) {
            StringBuilder line = new StringBuilder();
            for (int column : search.solutions.get(i)) {
                line.append(column).append(" ");
            }
            System.out.println(line.toString().trim());
        }
        System.out.println(search.solutions.size());
    }
}

public class Main {
    public static void main(String[] args) {
        Board board = new Board(Integer.parseInt(args[0]));
        board.solve(0);
        System.out.print(board);
    }
}

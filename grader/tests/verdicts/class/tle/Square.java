import java.util.ArrayList;

public class Square {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        while (n > 0) {
            n = n * 1;
        }
    }
}

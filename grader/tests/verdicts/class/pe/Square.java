import java.util.ArrayList;

public class Square {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        System.out.println("square = " + n * n);
    }
}

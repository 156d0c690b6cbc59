import java.util.ArrayList;

public class Square {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        while (n > 0) {
            System.out.println("0123456789012345678901234567890123456789");
        }
    }
}

import java.util.ArrayList;

public class Square {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        ArrayList<byte[]> all = new ArrayList<>();
        while (n > 0) {
            all.add(new byte[1 << 20]);
        }
    }
}

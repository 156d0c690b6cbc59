// Takes memory from the heap without end.
// It must be said to be over its limit of memory.
import java.util.ArrayList;

class Heap {
    public static void main(String[] args) {
        ArrayList<byte[]> blocks = new ArrayList<>();
        while (true) {
            blocks.add(new byte[1 << 20]);
        }
    }
}

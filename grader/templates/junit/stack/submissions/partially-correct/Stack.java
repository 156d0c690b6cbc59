import java.util.ArrayDeque;

public class Stack {
    private final ArrayDeque<Integer> values = new ArrayDeque<>();

    public void push(int value) {
        values.add(value);
    }

    public Integer pop() {
        return values.poll();
    }
}

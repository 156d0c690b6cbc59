import java.io.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Main {
    record Pair<A extends Comparable<A>, B>(A first, B second) implements Comparable<Pair<A, B>> {
        public int compareTo(Pair<A, B> other) {
            return first.compareTo(other.first);
        }
    }

    enum Kind { SMALL, LARGE }

    interface Shape {
        double area();
    }

    static abstract class Named implements Shape {
        protected final String name;

        Named(String name) {
            this.name = name;
        }
    }

    static int count(int all, int columns, int down, int up) {
        int solutions = 0;
        for (int free = all & ~(columns | down | up); free != 0; free &= free - 1) {
            int bit = free & -free;
            solutions += count(all, columns | bit, (down | bit) << 1, (up | bit) >> 1);
        }
        return columns == all ? 1 : solutions;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        Scanner scanner = new Scanner("1 2 3");
        List<Integer> numbers = new ArrayList<>();
        while (scanner.hasNextInt()) {
            numbers.add(scanner.nextInt());
        }
        Map<String, List<Integer>> groups = new TreeMap<>(Comparator.reverseOrder());
        for (int number : numbers) {
            groups.computeIfAbsent(number % 2 == 0 ? "even" : "odd", key -> new ArrayList<>()).add(number);
        }
        int[][] grid = new int[3][4];
        long sum = 0L;
        outer:
        for (int[] row : grid) {
            for (int cell : row) {
                sum += cell ^ 1L << 3;
                if (sum > 1_000_000_007L) break outer;
            }
        }
        Named square = new Named("square") {
            @Override
            public double area() {
                return Math.pow(2.0, 2) + name.length();
            }
        };
        Supplier<Pair<Integer, String>> pair = () -> new Pair<>(1, "one");
        Kind kind = sum > 10 ? Kind.LARGE : Kind.SMALL;
        switch (kind) {
            case SMALL -> System.out.println("small");
            default -> System.out.printf("%d %s%n", sum, pair.get());
        }
        StringBuilder text = new StringBuilder();
        try (PrintWriter out = new PrintWriter(new StringWriter())) {
            out.println(text.append(numbers.stream().map(String::valueOf).collect(Collectors.joining(","))));
        } catch (RuntimeException error) {
            throw new IllegalStateException("cannot write " + error.getMessage(), error);
        } finally {
            text.setLength(0);
        }
        System.out.println(count(15, 0, 0, 0) + " " + groups + square.area() + reader.ready());
    }
}

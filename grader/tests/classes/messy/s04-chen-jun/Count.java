package edu.camp.queens;

/** Counts by bit masks. */
public final class Count {
    private final int full;

    private Count(int n) {
        full = (1 << n) - 1;
    }

    private int place(int columns, int left, int right) {
        if (columns == full) {
            return 1;
        }
        int total = 0;
        int free = full & ~(columns | left | right);
        while (free != 0) {
            int bit = free & -free;
            free ^= bit;
            total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return total;
    }

    public static void main(String[] args) {
        System.out.println(new Count(Integer.parseInt(args[0])).place(0, 0, 0));
    }
}

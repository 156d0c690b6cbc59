public class Count {
    private int all;
    private long total;

    private void search(int columns, int left, int right) {
        if (columns == all) {
            total++;
            return;
        }
        int free = all & ~(columns | left | right);
        while (free != 0) {
            int bit = free & -free;
            free ^= bit;
            search(columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }

    public static void main(String[] args) {
        Count count = new Count();
        count.all = (1 << Integer.parseInt(args[0])) - 1;
        count.search(0, 0, 0);
        System.out.println(count.total);
    }
}

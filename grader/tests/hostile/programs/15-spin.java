// Spins for ever.
// It must be stopped for its CPU time.
class Spin {
    static volatile int i;

    public static void main(String[] args) {
        while (true) {
            i++;
        }
    }
}

// Does nothing wrong.
// The Java machine needs many threads and much address space for it.
class Honest {
    public static void main(String[] args) {
        System.out.println(42);
    }
}

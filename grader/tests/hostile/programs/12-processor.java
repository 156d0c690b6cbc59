// Submits an annotation processor beside a harmless program.
// The compiler must not run it.
class Main {
    public static void main(String[] args) {
        System.out.println(42);
    }
}

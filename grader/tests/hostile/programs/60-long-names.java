// Does nothing wrong.
// It is submitted with hundreds of files, whose names are arguments of the compiler.
class Main {
    public static void main(String[] args) {
        System.out.println(42);
    }
}

import java.io.PrintStream;
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        // What the student's code prints is no answer.
        PrintStream answers = System.out;
        System.setOut(System.err);
        Scanner calls = new Scanner(System.in);
        while (calls.hasNext("gcd")) {
            calls.next();
            answers.println(Gcd.gcd(calls.nextInt(), calls.nextInt()));
            answers.flush();
        }
    }
}

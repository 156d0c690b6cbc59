// Dies in the way that its argument names; for signals, by the hand of a shell.
// The report must tell how.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

class Deaths {
    public static void main(String[] args) throws Exception {
        switch (args[1]) {
            case "abort" -> {
                // The machine ends itself by abort() when its own code has gone wrong.
                Field field = Unsafe.class.getDeclaredField("theUnsafe");
                field.setAccessible(true);
                ((Unsafe) field.get(null)).putAddress(0, 0);
            }
            case "term" -> signal("TERM");
            case "kill" -> signal("KILL");
            case "throw" -> throw new IllegalStateException("as asked");
            case "halt" -> Runtime.getRuntime().halt(Integer.parseInt(args[2]));
            default -> System.exit(Integer.parseInt(args[2]));
        }
    }

    static void signal(String name) throws Exception {
        String command = "kill -s " + name + " " + ProcessHandle.current().pid();
        new ProcessBuilder("/bin/sh", "-c", command).start().waitFor();
        Thread.sleep(1000);
    }
}

// Takes memory behind the back of the Java machine, up to a gigabyte.
// It must be stopped at its limit of memory.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

class OffHeap {
    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        for (int i = 0; i < 1024; i++) {
            unsafe.setMemory(unsafe.allocateMemory(1 << 20), 1 << 20, (byte) 1);
        }
        System.out.println(42);
    }
}

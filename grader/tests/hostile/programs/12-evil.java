// Would leave a file outside, were it run while the program is built.
// See `12-processor.java`.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.element.TypeElement;

@SupportedAnnotationTypes("*")
public class Evil extends AbstractProcessor {
    static {
        try {
            Files.writeString(Path.of("@HOST@/12-processor"), "ran");
        } catch (Exception refused) {
            // As it should be.
        }
    }

    @Override
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
        return false;
    }
}

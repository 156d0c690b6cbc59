//! The programs by which the start-up time of a language is measured.

use grader_model::{LanguageId, SourceFile};

/// A program that prints one number, with the library that nearly every submission loads. Its CPU time is what a run in
/// this language costs before the student's own work begins. `None` for languages that are compiled to machine code:
/// their programs start in about a millisecond.
pub fn startup_program(language: LanguageId) -> Option<SourceFile> {
    let (path, text) = match language {
        LanguageId::C | LanguageId::Cpp | LanguageId::Rust | LanguageId::Pascal => return None,
        LanguageId::Java => (
            "Startup.java",
            "import java.util.Scanner;\n\
             public class Startup {\n    public static void main(String[] args) {\n        \
             Scanner in = new Scanner(\"1\");\n        System.out.printf(\"%d%n\", in.nextInt());\n    }\n}\n",
        ),
        LanguageId::Python => (
            "startup.py",
            "import random\nimport sys\nprint(random.randint(1, 2), file=sys.stdout)\n",
        ),
    };
    Some(SourceFile::new(path, text.as_bytes()))
}

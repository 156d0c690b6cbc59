//! Sources made to be slow to read: whatever could send a scan to the end again and again.
//!
//! Nothing here is timed: where the time grows with the square of the length, a test takes a minute and not a
//! second, and nobody overlooks that.

use std::path::{Path, PathBuf};

use grader_language::{Toolchain, language, recognise};
use grader_model::{End, LanguageId, SourceFile};

/// Enough for that difference, and little enough for a build without optimisation.
const LENGTH: usize = 256 << 10;

/// What is repeated; `%` stands for a number that is another one each time.
fn pieces(id: LanguageId) -> &'static [&'static str] {
    match id {
        LanguageId::C => &[
            "#include \"a%.h\"\n",
            "#include <conio.h>\n",
            "system(\"cls",
            "int main(int a, char **b) {",
            "/*",
            "\\",
        ],
        LanguageId::Cpp => &["R\"(", "R\"a(", "main ", "#include ", "'"],
        LanguageId::Rust => &["r#", "r###\"", "\"####", "/*", "fn main", "mod a%;\n"],
        LanguageId::Java => &[
            "main ",
            "static void main(",
            "static void main(String ",
            "class A extends ",
            "class A{",
            "class A{static void main(String a){}",
            "package ",
            "package a.",
            "\"\"\"",
        ],
        LanguageId::Pascal => &["{", "(*", "end.", "read(", "uses a%, "],
        LanguageId::Python => &[
            "import a% ",
            "import a%\n",
            "from a import b\n",
            "'''",
            "f'",
        ],
    }
}

fn toolchain(id: LanguageId) -> Toolchain {
    Toolchain {
        language: id,
        programs: vec![PathBuf::from("/opt/a/bin/compiler")],
        version: "compiler 1".to_owned(),
        flags: Vec::new(),
        readable: Vec::new(),
    }
}

fn repeated(piece: &str, prefix: &str) -> String {
    let mut text = prefix.to_owned();
    let mut number = 0;
    while text.len() < LENGTH {
        text.push_str(&piece.replace('%', &number.to_string()));
        number += 1;
    }
    text
}

/// Everything that is asked about sources.
fn read(id: LanguageId, sources: &[SourceFile]) {
    let language = language(id);
    let plan = language.plan(sources, &toolchain(id), Path::new("/build"));
    assert_eq!(plan.files.len(), sources.len());
    assert!(plan.hints.len() <= 16, "{:?}", plan.hints);
    language.reads_stdin(sources);
    language.reads_arguments(sources);
    recognise(sources);
}

fn extension(id: LanguageId) -> &'static str {
    match id {
        LanguageId::C => "c",
        LanguageId::Cpp => "cpp",
        LanguageId::Rust => "rs",
        LanguageId::Java => "java",
        LanguageId::Pascal => "pas",
        LanguageId::Python => "py",
    }
}

#[test]
fn a_source_that_repeats_one_piece_is_read_in_every_language() {
    for id in LanguageId::ALL {
        for &piece in pieces(id) {
            let text = repeated(piece, "");
            let name = format!("a.{}", extension(id));
            read(id, &[SourceFile::new(name, text.as_bytes())]);
        }
    }
}

#[test]
fn mains_of_one_class_are_read_once() {
    for (prefix, piece) in [
        (
            "public class A { class B { ".to_owned(),
            "static void main(String[] a){} ",
        ),
        (
            "class A{".repeat(LENGTH / 16),
            "static void main(String[] a){} ",
        ),
        (
            "public class A{".repeat(LENGTH / 64),
            "static void main(String[] a){} } ",
        ),
    ] {
        let text = repeated(piece, &prefix);
        read(
            LanguageId::Java,
            &[SourceFile::new("A.java", text.as_bytes())],
        );
    }
}

#[test]
fn many_files_that_name_each_other_are_read_in_every_language() {
    for id in LanguageId::ALL {
        let piece = match id {
            LanguageId::C | LanguageId::Cpp => "#include \"a%.h\"\n",
            LanguageId::Rust => "mod a%;\n",
            LanguageId::Java => "import a%;\n",
            LanguageId::Pascal => "uses a%;\n",
            LanguageId::Python => "import a%\n",
        };
        let text = repeated(piece, "");
        let part = text.len() / 300;
        let sources: Vec<SourceFile> = (0..300)
            .map(|number| {
                let text = &text.as_bytes()[number * part..(number + 1) * part];
                SourceFile::new(format!("d{number}/x{number}.{}", extension(id)), text)
            })
            .collect();
        read(id, &sources);
    }
}

#[test]
fn long_messages_are_searched_in_every_language() {
    for id in LanguageId::ALL {
        for piece in [
            "a.c:1: fatal error: a%.h: No such file\n",
            "undefined reference to `a%'\n",
            "error: duplicate class: A%\n",
            "error: package a% does not exist\n",
            "error: package ",
            "should be declared in a file named ",
            "use of undeclared crate or module `a%`\n",
            "Can't find unit a% used by b\n",
            "Can't find unit ",
            "Runtime error ",
            "Exception in thread \"",
            "thread 'a' panicked at ",
            "a.Error: ",
            "File \"a\", line ",
            "Traceback (most recent call last)\n",
        ] {
            let text = repeated(piece, "");
            let advice = language(id).explain_build(text.as_bytes(), &[]);
            assert!(advice.len() <= 16, "{advice:?}");
            let advice = language(id).explain_run(text.as_bytes(), End::Exited(1));
            assert!(advice.len() <= 16, "{advice:?}");
            language(id).ran_out_of_memory(text.as_bytes());
        }
    }
}

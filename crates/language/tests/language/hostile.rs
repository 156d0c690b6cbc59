//! Hostile submissions: names that lead elsewhere, and texts that are slow to tokenise. No compiler is started.
//!
//! Nothing here is timed: if the time is quadratic in the length, a test takes a minute instead of a second, which
//! nobody overlooks.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use grader_language::{
    Plan, ProgramSources, SourceFacts, SourceText, Toolchain, find_tokens, tokens,
};
use grader_model::{End, LanguageId, SourceFile};

use crate::advice::failed;
use crate::support::{self, english, language, recognise};

fn plan(id: LanguageId, sources: &[SourceFile]) -> Plan {
    let toolchain = Toolchain {
        programs: vec![PathBuf::from("/opt/a/bin/compiler")],
        version: "compiler 1".to_owned(),
        flags: Vec::new(),
        readable: Vec::new(),
    };
    support::plan(id, sources, &toolchain, Path::new("/build"))
}

fn file(path: impl Into<String>, text: &str) -> SourceFile {
    SourceFile::new(path, text.as_bytes())
}

fn paths(plan: &Plan) -> Vec<&str> {
    plan.files.iter().map(|(path, _)| path.as_str()).collect()
}

/// Checks that every file can be written inside the build folder and nowhere else.
#[track_caller]
fn can_be_written(plan: &Plan) {
    let paths: BTreeSet<&Path> = paths(plan).into_iter().map(Path::new).collect();
    assert_eq!(paths.len(), plan.files.len(), "twice in {paths:?}");
    for path in &paths {
        let shown = path.display();
        assert!(path.as_os_str().len() <= 512, "{shown}");
        let fits = |part: Component<'_>| {
            matches!(part, Component::Normal(_)) && part.as_os_str().len() <= 255
        };
        assert!(path.components().all(fits), "{shown}");
        let mut folders = path.ancestors().skip(1);
        assert!(!folders.any(|folder| paths.contains(folder)), "{shown}");
    }
}

#[test]
fn a_plan_stays_in_the_build_folder_in_every_language() {
    for id in LanguageId::ALL {
        let extension = &language(id).definition.extensions[0];
        let hostile = [
            format!("/etc/absolute.{extension}"),
            format!("../../up.{extension}"),
            format!("a/../../b/./{}.{extension}", "皇".repeat(100)),
            format!("{}deep.{extension}", "folder/".repeat(300)),
            format!("twice.{extension}"),
            format!("./twice.{extension}"),
            format!("twice.{extension}/inside.{extension}"),
            format!("nul\0.{extension}"),
            "a".to_owned(),
            "classes".to_owned(),
            ".cache/go-build/x".to_owned(),
            "..".to_owned(),
            String::new(),
        ];
        let all: Vec<SourceFile> = hostile.iter().map(|path| file(path, "")).collect();
        can_be_written(&plan(id, &all));
        for source in all {
            can_be_written(&plan(id, &[source]));
        }
        let many: Vec<SourceFile> = (0..1500)
            .map(|number| file(format!("f{number}.{extension}"), ""))
            .collect();
        let plan = plan(id, &many);
        can_be_written(&plan);
        assert_eq!(plan.files.len(), 1000);
        let hint = "1500 files were submitted; only the first 1000 are compiled: submit only what the program needs.";
        assert!(english(&plan.hints).contains(&hint));
        assert_eq!(plan.cut.as_ref().map(|it| it.en.as_str()), Some(hint));
        assert!(plan.doubt.is_some());
    }
}

#[test]
fn a_java_package_cannot_lead_out_of_the_build_folder() {
    let main = "public static void main(String[] a) { }";
    for package in ["/tmp/evil", "../../evil", "a/../../b", "..", "a b", "\u{0}"] {
        let text = format!("package {package};\npublic class Count {{ {main} }}");
        assert_eq!(
            paths(&plan(LanguageId::Java, &[file("x.java", &text)])),
            ["Count.java"]
        );
    }
    for text in [
        format!("public class {} {{ {main} }}", "A".repeat(300)),
        format!("package a.{}.b; class Count {{ {main} }}", "A".repeat(300)),
    ] {
        can_be_written(&plan(LanguageId::Java, &[file("Count.java", &text)]));
    }
    let main = format!("package queens; class Main {{ {main} }}");
    let sources = [file("queens", "92"), file("Main.java", &main)];
    assert_eq!(
        paths(&plan(LanguageId::Java, &sources)),
        ["queens", "more1/Main.java"]
    );
}

/// Enough to notice quadratic time, but little enough for a build without optimisation.
const LENGTH: usize = 64 << 10;

/// The pieces to repeat; `%` stands for a different number each time.
#[rustfmt::skip]
fn pieces(id: LanguageId) -> &'static [&'static str] {
    match id {
        LanguageId::C => &["#include \"a%.h\"\n", "fopen(\"a\", ", "int main(int a, char **b) {", "/*", "\\", "#if\n"],
        LanguageId::Cpp => &["R\"(", "R\"a(", "main ", "#include ", "'", "ifstream x("],
        LanguageId::Rust => &["r#", "r###\"", "\"####", "/*", "fn main", "mod a%;\n"],
        LanguageId::Java => &[
            "main ", "static void main(", "static void main(String ", "class A extends ", "class A{",
            "class A{static void main(String a){}", "package a.", "\"\"\"",
        ],
        LanguageId::Pascal => &["{", "(*", "end.", "read(", "assign(f%, 'x');reset(f%);"],
        LanguageId::Python => &["import a% ", "import a%\n", "'''", "f'{", "f\"\"\"{"],
        LanguageId::Go => &["`", "func main() {", "import \"a%\"\n"],
        LanguageId::JavaScript => &["`${", "/", "require('a%')", "import 'a%'\n"],
        _ => &[],
    }
}

fn repeated(piece: &str, prefix: &str) -> String {
    let mut text = prefix.to_owned();
    for number in 0.. {
        if text.len() >= LENGTH {
            break;
        }
        text.push_str(&piece.replace('%', &number.to_string()));
    }
    text
}

/// Runs every analysis of sources.
fn read(id: LanguageId, sources: &[SourceFile]) {
    let plan = plan(id, sources);
    assert_eq!(plan.files.len(), sources.len());
    assert!(plan.hints.len() <= 16, "{:?}", plan.hints);
    recognise(sources);
}

#[test]
fn a_source_that_repeats_one_piece_is_read_in_every_language() {
    for id in LanguageId::ALL {
        let extension = &language(id).definition.extensions[0];
        for &piece in pieces(id) {
            read(id, &[file(format!("a.{extension}"), &repeated(piece, ""))]);
        }
        let text = repeated(pieces(id)[0], "");
        let part = text.len() / 300;
        let sources: Vec<SourceFile> = (0..300)
            .map(|number| {
                let text = &text.as_bytes()[number * part..(number + 1) * part];
                SourceFile::new(format!("d{number}/x{number}.{extension}"), text)
            })
            .collect();
        read(id, &sources);
    }
    let mains = "static void main(String[] a){} ";
    for prefix in [
        "public class A { class B { ",
        &"class A{".repeat(LENGTH / 16),
    ] {
        read(
            LanguageId::Java,
            &[file("A.java", &repeated(mains, prefix))],
        );
    }
}

#[test]
fn any_text_at_all_has_tokens() {
    #[rustfmt::skip]
    let texts = [
        "", "'", "\"", "R\"", "f'{", "0x", "$", "皇'后", "r#", "f'皇{后}", "1'", "1.", "`${", "/", "\\\"皇\\",
    ];
    for language in LanguageId::ALL.map(language) {
        for text in texts {
            for token in tokens(text, language.definition.syntax) {
                let _ = (token.value(language.definition.syntax), token.quoted());
            }
            find_tokens(
                &tokens(text, language.definition.syntax),
                text,
                language.definition.syntax,
            );
        }
    }
}

#[test]
fn long_messages_are_searched_in_every_language() {
    #[rustfmt::skip]
    let pieces = [
        "a.c:1: fatal error: a%.h: No such file\n",
        "undefined reference to `a%'\n",
        "error: package ",
        "use of undeclared crate or module `a%`\n",
        "Can't find unit ",
        "Runtime error ",
        "Exception in thread \"",
        "thread 'a' panicked at ",
        "a.Error: ",
        "File \"a\", line ",
        "File \"a\", line 1\n",
        "a.java:1: error: cannot find symbol\n▲^\n  ^\n",
        "  symbol:   variable a%\n",
        "a.js:1\n",
        "    at (/",
        "panic: main.",
    ];
    for language in LanguageId::ALL.map(language) {
        for text in pieces.map(|piece| repeated(piece, "")) {
            let advice = language.explain_build(text.as_bytes(), &ProgramSources::default(), false);
            assert!(advice.len() <= 8, "{advice:?}");
            let advice = language.explain_run(&failed(text.as_bytes(), End::Exited(1)));
            assert!(advice.len() <= 8, "{advice:?}");
            language.ran_out_of_memory(text.as_bytes());
            language.missing_file(text.as_bytes(), &SourceFacts::default());
        }
    }
}

#[test]
fn a_source_full_of_signs_in_full_width_is_searched() {
    let files = [file("a.c", &format!("\n{}", "；".repeat(4 * LENGTH)))];
    let texts = SourceText::all(&files);
    let sources = ProgramSources::own(&texts);
    let advice = language(LanguageId::C).explain_build(b"a.c:1: error: x\n", &sources, false);
    assert!(advice.is_empty(), "{advice:?}");
}

#[test]
fn a_line_that_is_as_long_as_a_file_is_searched() {
    for piece in ["{ ( ", "f(1);", "}", "\"", "{1}{}{line}@", "\t"] {
        let files = [file("a.c", &repeated(piece, "皇 "))];
        let texts = SourceText::all(&files);
        let sources = ProgramSources::own(&texts);
        for message in [
            "expected declaration or statement at end of input",
            "'{}' undeclared",
            "expected ';' before '}'",
        ] {
            let messages = format!("a.c:1:{}: error: {message}\n", usize::MAX);
            let advice =
                language(LanguageId::C).explain_build(messages.as_bytes(), &sources, false);
            assert!(english(&advice).len() <= 1, "{advice:?}");
        }
    }
}

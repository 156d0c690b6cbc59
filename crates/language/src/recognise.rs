//! In which language a submission is.

use grader_model::{LanguageId, SourceFile};

use crate::c_family::includes;
use crate::code::{code, has_phrase, tokens};
use crate::encoding::to_utf8;
use crate::strip::Family;

/// The language of a submission: that of most of its source files; nothing when no file is a program in a
/// known language.
///
/// Extensions decide, except that C which is really C++ is C++, and a file without a known extension
/// (`.txt`, none) is told from its content when no other file has one. Headers count only where there is
/// nothing else. One C++ file makes a C submission C++. A tie goes to the language whose file comes first.
pub fn recognise(sources: &[SourceFile]) -> Option<LanguageId> {
    let known: Vec<LanguageId> = sources
        .iter()
        .filter_map(|source| Some((source, LanguageId::of_file_name(source.name())?)))
        .map(|(source, id)| match id {
            LanguageId::C if is_cpp(source) => LanguageId::Cpp,
            id => id,
        })
        .collect();
    if let Some(id) = most(&known) {
        return Some(id);
    }
    let (headers, others): (Vec<&SourceFile>, Vec<&SourceFile>) = sources
        .iter()
        .partition(|source| LanguageId::is_header_name(source.name()));
    let told = |sources: &[&SourceFile]| {
        let told: Vec<LanguageId> = sources
            .iter()
            .filter_map(|source| by_content(source))
            .collect();
        most(&told)
    };
    told(&others).or_else(|| told(&headers))
}

/// The language that occurs most, the first one of several; C++ as soon as it competes with C only.
fn most(known: &[LanguageId]) -> Option<LanguageId> {
    let count = |id: LanguageId| {
        known
            .iter()
            .filter(|&&other| other == id || (id == LanguageId::Cpp && other == LanguageId::C))
            .count()
    };
    let has_cpp = known.contains(&LanguageId::Cpp);
    known
        .iter()
        .copied()
        .filter(|&id| !(has_cpp && id == LanguageId::C))
        .rev()
        .max_by_key(|&id| count(id))
}

/// Phrases that C has no use for.
const CPP_SIGNS: [&str; 8] = [
    "using namespace",
    "std::",
    "cout<<",
    "cin>>",
    "template<",
    "public:",
    "private:",
    "operator<<",
];

/// Whether a source that may be C is C++.
pub(crate) fn is_cpp(source: &SourceFile) -> bool {
    // Headers of C++ have no `.h`, except those of the compiler.
    let headers = includes(source);
    if headers.iter().any(|name| {
        name == "bits/stdc++.h" || name == "iostream.h" || (!name.contains('.') && !name.is_empty())
    }) {
        return true;
    }
    let code = code(source, Family::C);
    let tokens = tokens(&code);
    CPP_SIGNS.iter().any(|sign| has_phrase(&tokens, sign))
        || tokens.windows(3).any(|window| {
            window[0] == "class" && window[2] == "{" && window[1].starts_with(char::is_alphabetic)
        })
}

/// The language of a file from its content.
fn by_content(source: &SourceFile) -> Option<LanguageId> {
    let text = to_utf8(&source.bytes);
    let first_line = text.lines().next().unwrap_or_default();
    if first_line.starts_with("#!") && first_line.contains("python") {
        return Some(LanguageId::Python);
    }
    if !includes(source).is_empty() {
        return Some(if is_cpp(source) {
            LanguageId::Cpp
        } else {
            LanguageId::C
        });
    }
    let has = |family: Family, phrases: &[&str]| {
        let code = code(source, family);
        let tokens = tokens(&code);
        phrases.iter().any(|phrase| has_phrase(&tokens, phrase))
    };
    if has(
        Family::Java,
        &[
            "import java.",
            "public class",
            "System.out.",
            "static void main(String",
        ],
    ) {
        return Some(LanguageId::Java);
    }
    if has(
        Family::Rust,
        &["fn main()", "println!(", "let mut", "use std::"],
    ) {
        return Some(LanguageId::Rust);
    }
    let pascal = code(source, Family::Pascal).to_lowercase();
    let words = tokens(&pascal);
    if words.contains(&"begin") && (has_phrase(&words, "end.") || has_phrase(&words, "end;")) {
        return Some(LanguageId::Pascal);
    }
    if has(Family::C, &["int main(", "void main(", "main()"])
        && has(Family::C, &["{"])
        && has(Family::C, &[";"])
    {
        return Some(if is_cpp(source) {
            LanguageId::Cpp
        } else {
            LanguageId::C
        });
    }
    looks_like_python(&code(source, Family::Python)).then_some(LanguageId::Python)
}

/// Whether some line is a statement that only Python has.
fn looks_like_python(code: &str) -> bool {
    code.lines().any(|line| {
        let line = line.trim();
        let opens = line.ends_with(':')
            && ["def ", "for ", "while ", "if ", "class "]
                .iter()
                .any(|word| line.starts_with(word));
        let imports = (line.starts_with("import ")
            || (line.starts_with("from ") && line.contains(" import ")))
            && !line.ends_with(';');
        let calls =
            (line.starts_with("print(") || line.contains("=input(") || line.contains("int(input("))
                && !line.ends_with(';');
        opens || imports || calls
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Option<LanguageId> {
        let sources: Vec<SourceFile> = files
            .iter()
            .map(|(path, text)| SourceFile::new(*path, text.as_bytes()))
            .collect();
        recognise(&sources)
    }

    const C_TEXT: &str = "#include <stdio.h>\nint main(){ printf(\"std::cout\"); }";

    #[test]
    fn extensions_decide() {
        let table = [
            ("a.c", LanguageId::C),
            ("八皇后 #1.CPP", LanguageId::Cpp),
            ("a.cc", LanguageId::Cpp),
            ("a.cxx", LanguageId::Cpp),
            ("a.c++", LanguageId::Cpp),
            ("a.rs", LanguageId::Rust),
            ("A.Java", LanguageId::Java),
            ("a.pas", LanguageId::Pascal),
            ("a.pp", LanguageId::Pascal),
            ("a.dpr", LanguageId::Pascal),
            ("a.lpr", LanguageId::Pascal),
            ("a.py", LanguageId::Python),
            ("a.py3", LanguageId::Python),
        ];
        for (name, id) in table {
            assert_eq!(of(&[(name, "")]), Some(id), "{name}");
        }
    }

    #[test]
    fn c_that_is_really_cpp_is_cpp() {
        assert_eq!(of(&[("a.c", C_TEXT)]), Some(LanguageId::C));
        for text in [
            "#include <iostream>\nint main(){}",
            "#include <bits/stdc++.h>\nint main(){}",
            "#include <stdio.h>\nclass Queen { public: int x; };",
            "using namespace std;",
            "int main(){ std::sort(a, b); }",
        ] {
            assert_eq!(of(&[("a.c", text)]), Some(LanguageId::Cpp), "{text}");
        }
        let struct_named_class = "#include <stdio.h>\n// using namespace std\nint class = 1;";
        assert_eq!(of(&[("a.C", struct_named_class)]), Some(LanguageId::C));
    }

    #[test]
    fn without_a_known_extension_the_content_decides() {
        let table = [
            (C_TEXT, Some(LanguageId::C)),
            ("#include<cstdio>\nint main(){}", Some(LanguageId::Cpp)),
            (
                "fn main() { println!(\"begin end.\"); }",
                Some(LanguageId::Rust),
            ),
            (
                "import java.util.*;\npublic class A {}",
                Some(LanguageId::Java),
            ),
            (
                "Program p;\nBegin writeln(1); End.",
                Some(LanguageId::Pascal),
            ),
            (
                "n = int(input())\nfor i in range(n):\n    print(i)",
                Some(LanguageId::Python),
            ),
            ("#!/usr/bin/env python3\nx = 1", Some(LanguageId::Python)),
            ("main() { return 0; }", Some(LanguageId::C)),
            ("92\n", None),
            ("The number of solutions is the main() result.", None),
        ];
        for (text, id) in table {
            assert_eq!(of(&[("answer.txt", text)]), id, "{text}");
            assert_eq!(of(&[("answer", text)]), id, "{text}");
        }
    }

    #[test]
    fn the_language_of_most_files_is_that_of_the_submission() {
        assert_eq!(
            of(&[("a.py", ""), ("b.c", ""), ("c.c", "")]),
            Some(LanguageId::C)
        );
        assert_eq!(
            of(&[("a.c", ""), ("b.c", ""), ("m.cpp", "")]),
            Some(LanguageId::Cpp)
        );
        assert_eq!(
            of(&[("q.h", "int f();"), ("m.cpp", "")]),
            Some(LanguageId::Cpp)
        );
        assert_eq!(of(&[("b.py", ""), ("a.c", "")]), Some(LanguageId::Python));
        assert_eq!(
            of(&[("readme.txt", "import java.util"), ("a.rs", "")]),
            Some(LanguageId::Rust)
        );
        assert_eq!(of(&[("main.h", C_TEXT)]), Some(LanguageId::C));
        assert_eq!(of(&[]), None);
    }
}

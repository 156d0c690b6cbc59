//! Recognition of a submission's language.

use std::sync::Arc;

use grader_model::LanguageId;

use crate::language::{Language, Languages};
use crate::lexer::has;
use crate::preprocessor::includes;
use crate::source::SourceText;
use crate::syntax::Syntax;

impl Languages {
    /// A submission's language: that of most of its source files; `None` if no file is a program in any of the
    /// languages.
    ///
    /// Extensions decide, except that a `.c` file with C++ code is C++, and that a file without a known extension
    /// (`.txt`, none) is recognised by its content if no other file has a known extension. Headers count only if there
    /// is nothing else. One C++ file makes a C submission C++. A tie goes to the language of the first file.
    pub fn recognise(&self, sources: &[SourceText<'_>]) -> Option<&Arc<Language>> {
        let by_name =
            sources
                .iter()
                .filter_map(|source| match self.of_file_name(source.file.name())?.id {
                    LanguageId::C if is_cpp(source) => Some(LanguageId::Cpp),
                    id => Some(id),
                });
        let by_content = |headers: bool| {
            let sources = sources
                .iter()
                .filter(|source| self.is_header_name(source.file.name()) == headers);
            most_common(sources.filter_map(by_content).collect())
        };
        let found = most_common(by_name.collect())
            .or_else(|| by_content(false))
            .or_else(|| by_content(true));
        self.get(found?)
    }
}

/// The most common language, or the first of several; C++ if only C and C++ occur.
fn most_common(mut known: Vec<LanguageId>) -> Option<LanguageId> {
    if known.contains(&LanguageId::Cpp) {
        for id in known.iter_mut().filter(|id| **id == LanguageId::C) {
            *id = LanguageId::Cpp;
        }
    }
    let count = |id: LanguageId| known.iter().filter(|&&other| other == id).count();
    known.iter().rev().copied().max_by_key(|&id| count(id))
}

/// Whether a source that may be C is C++. It is tokenised as C, which it usually is.
fn is_cpp(source: &SourceText<'_>) -> bool {
    #[rustfmt::skip]
    const SIGNS: [&str; 8] = [
        "using namespace", "std::", "cout<<", "cin>>", "template<", "public:", "private:", "operator<<",
    ];
    let tokens = source.tokens(Syntax::C);
    // C++ headers have no `.h`, except the compiler's.
    let is_cpp_header = |name: &str| {
        name == "bits/stdc++.h" || name == "iostream.h" || (!name.contains('.') && !name.is_empty())
    };
    includes(&source.text, &tokens).iter().any(|name| {
        let (opening, name) = name.split_at(1);
        let name = name.trim();
        // A file of the student's may have any name.
        is_cpp_header(name) && (opening == "<" || name.contains('.'))
    }) || SIGNS.iter().any(|sign| has(&tokens, sign, Syntax::C))
        || tokens
            .windows(3)
            .any(|it| it[0].is("class") && it[2].is("{"))
}

/// Phrases that identify a language. The first language with a matching phrase wins.
#[rustfmt::skip]
const SIGNS: [(LanguageId, Syntax, &[&str]); 5] = [
    (LanguageId::Go, Syntax::Go, &["package main", "func main()"]),
    (LanguageId::Java, Syntax::Java, &["import java.", "public class", "System.out.", "static void main(String"]),
    (LanguageId::Rust, Syntax::Rust, &["fn main()", "println!(", "let mut", "use std::"]),
    (LanguageId::Pascal, Syntax::Pascal, &["begin"]),
    (LanguageId::JavaScript, Syntax::JavaScript, &["console.log(", "process.stdin", "require("]),
];

/// The language of a file from its content.
fn by_content(source: &SourceText<'_>) -> Option<LanguageId> {
    let text = &*source.text;
    let first_line = text.lines().next().unwrap_or_default();
    let known = [
        ("python", LanguageId::Python),
        ("node", LanguageId::JavaScript),
    ];
    let named = known
        .iter()
        .find(|(name, _)| first_line.starts_with("#!") && first_line.contains(name));
    if let Some((_, id)) = named {
        return Some(*id);
    }
    let c_tokens = source.tokens(Syntax::C);
    let c_or_cpp = || {
        Some(if is_cpp(source) {
            LanguageId::Cpp
        } else {
            LanguageId::C
        })
    };
    if !includes(text, &c_tokens).is_empty() {
        return c_or_cpp();
    }
    for (id, syntax, phrases) in SIGNS {
        let tokens = source.tokens(syntax);
        let has = |phrase: &str| has(&tokens, phrase, syntax);
        let ends = id != LanguageId::Pascal || has("end.") || has("end;");
        if ends && phrases.iter().any(|phrase| has(phrase)) {
            return Some(id);
        }
    }
    let has_c = |phrase: &str| has(&c_tokens, phrase, Syntax::C);
    if has_c("main(") && has_c("{") && has_c(";") {
        return c_or_cpp();
    }
    looks_like_python(text).then_some(LanguageId::Python)
}

/// Whether any line is a statement found only in Python.
fn looks_like_python(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.ends_with(';'))
        .any(|line| {
            let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
            line.ends_with(':') && begins(&["def ", "for ", "while ", "if ", "class "])
                || begins(&["import ", "print("])
                || line.starts_with("from ") && line.contains(" import ")
                || line.contains("=input(")
                || line.contains("int(input(")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grader_model::SourceFile;

    fn of(files: &[(&str, &str)]) -> Option<LanguageId> {
        let sources: Vec<SourceFile> = files
            .iter()
            .map(|(path, text)| SourceFile::new(*path, text.as_bytes()))
            .collect();
        let languages = Languages::built_in();
        let found = languages.recognise(&SourceText::all(&sources));
        found.map(|language| language.id)
    }

    const C_TEXT: &str = "#include <stdio.h>\nint main(){ printf(\"std::cout\"); }";

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
        let with_data =
            "#include <stdio.h>\nint all[] = {\n#include \"data\"\n};\nint main(void) {}";
        assert_eq!(of(&[("a.c", with_data)]), Some(LanguageId::C));
        let variable_named_class = "#include <stdio.h>\n// using namespace std\nint class = 1;";
        assert_eq!(of(&[("a.C", variable_named_class)]), Some(LanguageId::C));
    }

    #[test]
    fn without_a_known_extension_the_content_decides() {
        #[rustfmt::skip]
        let table = [
            (C_TEXT, Some(LanguageId::C)),
            ("#include<cstdio>\nint main(){}", Some(LanguageId::Cpp)),
            ("fn main() { println!(\"begin end.\"); }", Some(LanguageId::Rust)),
            ("import java.util.*;\npublic class A {}", Some(LanguageId::Java)),
            ("Program p;\nBegin writeln(1); End.", Some(LanguageId::Pascal)),
            ("n = int(input())\nfor i in range(n):\n    print(i)", Some(LanguageId::Python)),
            ("#!/usr/bin/env python3\nx = 1", Some(LanguageId::Python)),
            ("main() { return 0; }", Some(LanguageId::C)),
            ("package main\nfunc main() { println(1) }", Some(LanguageId::Go)),
            ("const n = 8;\nconsole.log(n)", Some(LanguageId::JavaScript)),
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
        /// Files and their language.
        type Row = (&'static [(&'static str, &'static str)], Option<LanguageId>);
        #[rustfmt::skip]
        let table: [Row; 7] = [
            (&[("a.py", ""), ("b.c", ""), ("c.c", "")], Some(LanguageId::C)),
            (&[("a.c", ""), ("b.c", ""), ("m.cpp", "")], Some(LanguageId::Cpp)),
            (&[("q.h", "int f();"), ("m.cpp", "")], Some(LanguageId::Cpp)),
            (&[("b.py", ""), ("a.c", "")], Some(LanguageId::Python)),
            (&[("readme.txt", "import java.util"), ("a.rs", "")], Some(LanguageId::Rust)),
            (&[("main.h", C_TEXT)], Some(LanguageId::C)),
            (&[], None),
        ];
        for (files, id) in table {
            assert_eq!(of(files), id, "{files:?}");
        }
    }
}

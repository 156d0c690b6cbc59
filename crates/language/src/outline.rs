//! What a source has to do with the files beside it: what it defines for them, and which of them it uses.

use std::collections::BTreeSet;

use grader_model::{LanguageId, file_name, file_stem, folder_of};

use crate::definitions::Definitions;
use crate::java::{classes, imports};
use crate::language::Language;
use crate::lexer::{Token, TokenKind, names, short_literals};
use crate::preprocessor::{includes, unconditional};
use crate::python;
use crate::source::SourceText;
use crate::start::is_program;
use crate::syntax::Syntax;

/// What a source has to do with the files beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// What no other source of a program may define: classes of Java with their packages, functions of C and C++.
    pub defines: BTreeSet<String>,
    /// Names that a source of C or C++ has for others: functions, variables, classes whose methods it defines.
    pub offers: BTreeSet<String>,
    /// Words that may stand for a file: its name, its name without the extension, its folder, a class in it.
    pub mentions: BTreeSet<String>,
    /// Files that it names with their folder, both in lower case and without the extension: `shapes/circle`.
    pub paths: BTreeSet<String>,
    /// Literals of Python, which may name a module beside it.
    pub quoted: BTreeSet<String>,
    /// All names in C and C++, where any file may define what another only declares.
    pub uses: BTreeSet<String>,
    /// Java's package; empty for none.
    pub package: String,
    /// What Java imports: `edu.ds.Node`, `edu.ds.*`.
    pub imports: BTreeSet<String>,
    /// Whether a program can start in it.
    pub has_main: bool,
    /// Whether it uses a library for tests.
    pub is_test: bool,
}

/// Libraries for tests: parts of imports, and names of headers.
const TEST_LIBRARIES: [&str; 13] = [
    "catch.hpp",
    "catch2",
    "catch_amalgamated.hpp",
    "cmocka.h",
    "criterion",
    "cunit",
    "doctest.h",
    "gtest",
    "junit",
    "pytest",
    "testng",
    "unittest",
    "unity.h",
];

impl Language {
    /// The outline of a source or a header.
    pub fn outline(&self, source: &SourceText<'_>) -> Outline {
        let syntax = self.definition.syntax;
        let (text, tokens) = (&*source.text, &*source.tokens(syntax));
        let mut outline = Outline {
            has_main: is_program(tokens, syntax),
            mentions: quoted_files(tokens),
            paths: short_literals(tokens).filter_map(with_folder).collect(),
            ..Outline::default()
        };
        let mut imported = BTreeSet::new();
        match syntax {
            Syntax::C | Syntax::Cpp => {
                for include in includes(text, tokens) {
                    let path = include[1..].replace('\\', "/");
                    outline.mentions.insert(file_name(&path).to_owned());
                    outline.paths.extend(with_folder(&path));
                    if include.starts_with('"') {
                        outline.mentions.insert(file_stem(&path).to_owned());
                    }
                }
                if !self.is_source(source.file) {
                    // The source of that name has what the header declares.
                    let stem = file_stem(&source.file.path);
                    outline.mentions.insert(stem.to_owned());
                }
                for include in includes(text, &unconditional(tokens)) {
                    let path = include[1..].to_lowercase();
                    let parts = path.split(['/', '.']).chain([file_name(&path)]);
                    imported.extend(owned(parts));
                }
                outline.uses = owned(names(tokens));
                let found = Definitions::of(text, tokens, syntax);
                outline.has_main = found.has_main;
                (outline.defines, outline.offers) = (found.functions, found.offers);
            }
            Syntax::Java => {
                let classes = classes(tokens);
                outline.has_main = classes.launched.is_some();
                outline.defines = classes.qualified().collect();
                outline.package = classes.package;
                outline.imports = java_imports(tokens);
                let parts = outline.imports.iter().flat_map(|it| it.split('.'));
                imported = parts.map(str::to_lowercase).collect();
                outline.mentions.extend(owned(names(tokens)));
                // Every program has it; a class is hardly called so.
                outline.mentions.remove("main");
                // `Class.forName("edu.ds.Node")`
                outline.mentions.extend(owned(short_literals(tokens)));
            }
            Syntax::Python => {
                let all = python::imports(text, tokens);
                imported = owned(all.iter().flat_map(|it| names(it.tokens)));
                outline.mentions.extend(imported.iter().cloned());
                outline.quoted = owned(short_literals(tokens));
                outline.has_main = is_script(tokens, text);
            }
            Syntax::JavaScript => {
                let stems = short_literals(tokens).map(file_stem);
                outline.mentions.extend(owned(stems));
                outline.has_main = is_script(tokens, text);
            }
            _ => outline.mentions.extend(owned(names(tokens))),
        }
        outline.is_test = TEST_LIBRARIES.iter().any(|it| imported.contains(*it));
        outline
    }

    /// Whether all sources of a folder are built together, so that one too many breaks the program. In other languages
    /// only those count that the program uses.
    pub fn builds_all(&self) -> bool {
        matches!(self.id, LanguageId::C | LanguageId::Cpp | LanguageId::Go)
    }
}

/// What Java's imports name. An imported method stands for its class, too.
fn java_imports(tokens: &[Token<'_>]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for import in imports(tokens) {
        let is_static = import.first().is_some_and(|it| it.is("static"));
        let path = import[usize::from(is_static)..].iter().map(|it| it.text);
        let path: String = path.collect();
        if let Some((class, _)) = path.rsplit_once('.').filter(|_| is_static) {
            all.insert(class.to_owned());
        }
        all.insert(path);
    }
    all
}

fn owned<'a>(words: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    words.map(str::to_owned).collect()
}

/// What looks like a file's name in a literal: `"../data/start.txt"`.
fn quoted_files(tokens: &[Token<'_>]) -> BTreeSet<String> {
    let files = short_literals(tokens).map(|it| it.rsplit(['/', '\\']).next().unwrap_or(it));
    owned(files.filter(|it| it.contains('.')))
}

/// The file that a path names, with its folder: `shapes/circle` for `../shapes/Circle.h`. `None` if it names no folder.
fn with_folder(path: &str) -> Option<String> {
    let path = path.replace('\\', "/").to_lowercase();
    let folder = file_name(folder_of(&path));
    let is_name = !matches!(folder, "" | "." | "..");
    is_name.then(|| format!("{folder}/{}", file_stem(&path)))
}

/// Whether a script does something when it is started: a line that is not indented calls a function or begins a loop or a
/// condition. A module only defines.
fn is_script(tokens: &[Token<'_>], text: &str) -> bool {
    let control = [
        "if", "for", "while", "with", "try", "match", "raise", "await",
    ];
    tokens.iter().enumerate().any(|(at, token)| {
        if !token.begins_line(text) {
            return false;
        }
        let path = tokens[at + 1..].chunks(2);
        let dots = path.take_while(|it| it[0].is(".") && it.len() == 2).count();
        let calls = tokens.get(at + 1 + 2 * dots).is_some_and(|it| it.is("("));
        // `(async () => { … })()`
        let is_called = token.is("(");
        let is_name = token.kind == TokenKind::Name;
        is_called || is_name && (calls || control.contains(&token.text))
    })
}

#[cfg(test)]
mod tests {
    use grader_model::SourceFile;

    use super::*;
    use crate::language::built_in;

    fn outline(name: &str, text: &str) -> Outline {
        let languages = crate::language::Languages::built_in();
        let id = languages
            .of_file_name(name)
            .map_or(LanguageId::C, |it| it.id);
        let file = [SourceFile::new(name, text.as_bytes())];
        built_in(id).outline(&SourceText::all(&file)[0])
    }

    #[test]
    fn a_path_stands_for_the_file_in_its_folder() {
        let text = "#include \"../Shapes/Circle.hpp\"\n#include <a\\b.h>\n#include \"./c.h\"\nFILE *f = fopen(\"x/data/in.txt\", \"r\");";
        let paths = outline("a.c", text).paths;
        assert_eq!(
            paths.into_iter().collect::<Vec<_>>(),
            ["a/b", "data/in", "shapes/circle"]
        );
    }

    #[test]
    fn a_source_says_what_it_defines_and_which_files_it_uses() {
        #[rustfmt::skip]
        let table = [
            ("a.c", "#include <stdio.h>\n#include \"../in/Util.h\"\nstatic int f(int x) { return g(x); }\nint h(void)\n{ return 1; }\n\
              #define M(x) { x }\nint later(int);\nint (*p)(int) = 0;\nint main(void) { fopen(\"data/a.txt\"); }",
             "h", "stdio.h Util Util.h a.txt", true),
            ("util.h", "int h(void);", "", "util", false),
            ("g.cpp", "#include <grid.h>\nint Grid::size(int a) const { return 1; }\nnamespace n { int f() { } }\n\
              template<class T> T id(T t) { return t; }",
             "Grid::size(int) n::f()", "grid.h", false),
            ("A.java", "package edu.ds; import java.util.List; class A { B b; } interface C { }",
             "edu.ds.A edu.ds.C", "A B C List b class ds edu import interface java package util", false),
            ("a.py", "import os, helper\nfrom pkg import (one,\n    two)\nx = 1\ndef main():\n    print(open('start.txt'))\n",
             "", "helper import one os pkg start.txt two", false),
            ("b.py", "from . import x; y = z\nif __name__ == '__main__':\n    main()\n", "", "import x", true),
            ("c.py", "sys.stdout.write('x')\n", "", "", true),
            ("d.js", "const x = require('./Lib/util');\nmodule.exports = { x };\n", "", "util", false),
        ];
        for (name, text, defines, mentions, has_main) in table {
            let found = outline(name, text);
            let words = |text: &str| {
                text.split(' ')
                    .filter(|it| !it.is_empty())
                    .map(str::to_owned)
                    .collect::<BTreeSet<_>>()
            };
            let joined = found.defines.into_iter().collect::<Vec<_>>().join(" ");
            assert_eq!(
                (joined, found.mentions, found.has_main),
                (defines.to_owned(), words(mentions), has_main),
                "{name}"
            );
        }
    }

    #[test]
    fn libraries_for_tests_are_known() {
        for (name, text, is_test) in [
            ("a.cpp", "#include <gtest/gtest.h>", true),
            ("a.c", "#include \"unity.h\"", true),
            (
                "A.java",
                "import static org.junit.jupiter.api.Assertions.*;\nclass A { }",
                true,
            ),
            ("a.py", "import unittest", true),
            ("a.py", "unittest = 1", false),
            ("a.c", "int catch;", false),
        ] {
            assert_eq!(outline(name, text).is_test, is_test, "{text}");
        }
    }
}

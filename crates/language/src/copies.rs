//! Copies and versions of the author's files among a student's.

use std::collections::BTreeSet;

use grader_model::{LanguageId, extension_of};

use crate::build_command::are_makefiles;
use crate::java_packages::{JavaFile, Moves};
use crate::language::Language;
use crate::lexer::{Token, has};
use crate::preprocessor::is_guard;
use crate::source::SourceText;

impl Language {
    /// Whether each of a student's files gives way to an included one: it has the same path, it is a copy elsewhere, or a
    /// version that cannot be built beside it, because both define the same: `src/main.c` beside `main.c`.
    pub fn give_way<'a>(
        &self,
        own: &'a [SourceText<'a>],
        included: &[&'a SourceText<'a>],
    ) -> Vec<bool> {
        let paths: Vec<_> = own.iter().map(|it| &*it.file.path).collect();
        let java = self.java_versions(own, included);
        let gives_way = |file: &SourceText<'_>| {
            let path = &*file.file.path;
            java.contains(path)
                || included.iter().any(|it| {
                    let of = &*it.file.path;
                    path.eq_ignore_ascii_case(of)
                        || are_makefiles(path, of)
                        || self.is_shadow_of(path, of, &paths)
                        || self.changes(path, it)
                        || self.is_copy_of(file, it) && self.stands_for_copy(it, included)
                        || self.is_version_of(file, it)
                })
        };
        own.iter().map(gives_way).collect()
    }

    /// Whether a student's file is the author's of that name: the same bytes, or the same but for comments, blanks, the ends of
    /// lines, and the guard of a header or the package of a class.
    pub fn is_copy_of(&self, file: &SourceText<'_>, included: &SourceText<'_>) -> bool {
        let syntax = self.definition.syntax;
        let is_code = self.is_code(file.file) && self.is_code(included.file);
        has_name_of(file, included)
            && (file.file.bytes == included.file.bytes
                || is_code
                    && match self.id {
                        LanguageId::C | LanguageId::Cpp => {
                            let (own, authors) = (file.tokens(syntax), included.tokens(syntax));
                            unguarded(&own).eq(unguarded(&authors))
                        }
                        LanguageId::Java => {
                            let authors = JavaFile::new(included, true);
                            JavaFile::new(file, false).is_copy_of(&authors)
                        }
                        LanguageId::Python => code_lines(file).eq(code_lines(included)),
                        _ => false,
                    })
    }

    /// Whether a student's file that does not give way is another version of an included one: what both define are different things.
    pub fn is_other_version(&self, file: &SourceText<'_>, included: &SourceText<'_>) -> bool {
        let mut lines = code_lines(included).filter(|it| it.starts_with("class "));
        has_name_of(file, included)
            && match self.id {
                LanguageId::C | LanguageId::Cpp => self.is_header(file.file),
                LanguageId::Java => self.is_source(file.file),
                LanguageId::Python => lines.any(|line| code_lines(file).any(|it| it == line)),
                _ => false,
            }
    }

    /// Whether an included file can be built in the place of a copy elsewhere.
    fn stands_for_copy(&self, file: &SourceText<'_>, included: &[&SourceText<'_>]) -> bool {
        match self.id {
            LanguageId::C | LanguageId::Cpp => self.is_code(file.file),
            // The program starts beside it, so that all modules find it.
            LanguageId::Python => {
                let mut included = included.iter();
                included.any(|it| it.file.path == "main.py")
                    && self.forward("", &file.file.path).is_some()
            }
            _ => false,
        }
    }

    /// What stands at the path of a student's file, so that it is found there, too, and is not defined twice.
    pub(crate) fn forward(&self, path: &str, included: &str) -> Option<String> {
        let is_header = self.definition.headers.contains(&extension_of(included));
        match self.id {
            LanguageId::C | LanguageId::Cpp if is_header => {
                let above = "../".repeat(path.matches('/').count());
                Some(format!("#include \"{above}{included}\"\n"))
            }
            LanguageId::Python => {
                let module = included.strip_suffix(".py")?;
                let is_name = |c: char| c.is_alphanumeric() || c == '_';
                let text = format!("import sys, {module}\nsys.modules[__name__] = {module}\n");
                module.chars().all(is_name).then_some(text)
            }
            _ => None,
        }
    }

    /// Whether a student's file in another folder, with the name of an included one, cannot be built beside it.
    fn is_version_of(&self, file: &SourceText<'_>, included: &SourceText<'_>) -> bool {
        let is_same = has_name_of(file, included) && self.is_source(file.file);
        match self.id {
            LanguageId::C | LanguageId::Cpp if is_same => {
                let (own, authors) = (self.outline(file), self.outline(included));
                own.has_main && authors.has_main || !own.defines.is_disjoint(&authors.defines)
            }
            // All files are built in one folder.
            LanguageId::Go => is_same,
            _ => false,
        }
    }

    /// The paths of a student's Java sources that give way to one of the author's.
    fn java_versions<'a>(
        &self,
        own: &'a [SourceText<'a>],
        included: &[&'a SourceText<'a>],
    ) -> BTreeSet<&'a str> {
        if self.id != LanguageId::Java || included.is_empty() {
            return BTreeSet::new();
        }
        let own: Vec<_> = own.iter().filter(|it| self.is_source(it.file)).collect();
        let files = JavaFile::all(included.iter().copied(), own.iter().copied());
        let moves = Moves::of(&files);
        let (authors, students) = files.split_at(included.len());
        let gives_way = |file: &JavaFile<'_>| {
            let mut same = authors.iter().filter(|it| file.has_name_of(it));
            same.any(|it| file.is_copy_of(it) || moves.brings_together(file, it))
        };
        let found = own.iter().zip(students).filter(|(_, it)| gives_way(it));
        found.map(|(source, _)| &*source.file.path).collect()
    }

    /// Whether a student's file changes what an included one means: a `package.json` that makes modules of scripts.
    fn changes(&self, path: &str, included: &SourceText<'_>) -> bool {
        let syntax = self.definition.syntax;
        self.id == LanguageId::JavaScript
            && path == "package.json"
            && has(&included.tokens(syntax), "require(", syntax)
    }

    /// Whether this file belongs to a folder that the language prefers to an included file of the same name: Python takes
    /// `lib/__init__.py` for `lib.py`.
    fn is_shadow_of(&self, path: &str, included: &str, paths: &[&str]) -> bool {
        let stem = included.split('.').next().unwrap_or_default();
        let is_inside = |path: &str| {
            let inner = path.strip_prefix(stem)?.strip_prefix('/')?;
            Some(inner.starts_with("__init__."))
        };
        self.id == LanguageId::Python
            && is_inside(path).is_some()
            && paths.iter().any(|it| is_inside(it) == Some(true))
    }
}

/// Whether a student's file has the name of an included one.
pub(crate) fn has_name_of(file: &SourceText<'_>, included: &SourceText<'_>) -> bool {
    included.file.path.eq_ignore_ascii_case(file.file.name())
}

/// The texts of a header's tokens without `#pragma once` and an include guard.
fn unguarded<'t>(mut tokens: &'t [Token<'t>]) -> impl Iterator<Item = &'t str> {
    let is = |at: &[Token<'_>], words: &[&str]| {
        at.len() >= words.len() && at.iter().zip(words).all(|(it, word)| it.is(word))
    };
    if is(tokens, &["#", "pragma", "once"]) {
        tokens = &tokens[3..];
    }
    if let [begin @ .., hash, end] = tokens
        && is(begin, &["#", "ifndef"])
        && is_guard(&begin[2..])
        && is(&[*hash, *end], &["#", "endif"])
    {
        tokens = &begin[6..];
    }
    tokens.iter().map(|it| it.text)
}

/// The lines of a script but for comments on lines of their own, blank lines, and blanks at their ends.
fn code_lines<'t>(file: &'t SourceText<'_>) -> impl Iterator<Item = &'t str> {
    let lines = file.text.lines().map(str::trim_end);
    lines.filter(|line| !line.is_empty() && !line.trim_start().starts_with('#'))
}

//! Versions of the author's files among a student's.

use grader_model::LanguageId;

use crate::java::classes;
use crate::language::Language;
use crate::lexer::has;
use crate::source::SourceText;
use crate::syntax::Syntax;

impl Language {
    /// Whether a student's file in another folder, with the name of an included one, cannot be built beside it, because
    /// both define the same: `src/main.c` beside `main.c`. `all` has all included files and all of the student's.
    pub fn is_version_of(
        &self,
        file: &SourceText<'_>,
        included: &SourceText<'_>,
        all: &[&SourceText<'_>],
    ) -> bool {
        if !self.is_source(file.file) {
            // Headers are found beside the file that includes them.
            return false;
        }
        let syntax = self.definition.syntax;
        match self.id {
            LanguageId::C | LanguageId::Cpp => {
                let has_main = |it: &SourceText<'_>| has(&it.tokens(syntax), "main(", syntax);
                file.file.bytes == included.file.bytes || has_main(file) && has_main(included)
            }
            LanguageId::Java => {
                let package = |it: &SourceText<'_>| classes(&it.tokens(Syntax::Java)).package;
                let (own, authors) = (package(file), package(included));
                let import = format!("import {own}");
                let is_imported = || {
                    let mut all = all.iter();
                    all.any(|it| has(&it.tokens(Syntax::Java), &import, Syntax::Java))
                };
                // A package that nobody imports is left, so that the author's `Main` finds its classes.
                own == authors || authors.is_empty() && !is_imported()
            }
            // All files are built in one folder.
            LanguageId::Go => true,
            _ => false,
        }
    }

    /// Whether this file belongs to a folder that the language prefers to an included file of the same name: Python takes
    /// `lib/__init__.py` for `lib.py`.
    pub fn is_shadow_of(&self, path: &str, included: &str, paths: &[&str]) -> bool {
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

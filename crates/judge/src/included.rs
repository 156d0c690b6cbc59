//! The author's files that are built with every submission.

use grader_language::{Language, Languages, ProgramSources, SourceText};
use grader_model::{LanguageId, SourceFile};

/// A program's sources with the included files for its language. Sources with the name of an included file, in any
/// folder, are left out; so are folders that shadow one: Python prefers `lib/__init__.py` to `lib.py`.
pub(crate) fn with_included<'a>(
    language: &Language,
    languages: &Languages,
    own: &'a [SourceText<'a>],
    included: &'a [SourceText<'a>],
) -> ProgramSources<'a> {
    let is_own = |extension: &String| language.definition.extensions.contains(extension);
    let has_own = included.iter().any(|it| is_own(&it.file.extension()));
    let fits = |source: &&SourceText<'_>| {
        let extension = source.file.extension();
        // A C++ compiler accepts C, too.
        let is_c = language.id == LanguageId::Cpp && extension == "c" && !has_own;
        let name = source.file.name();
        let is_foreign = languages.of_file_name(name).is_some()
            || languages.is_header_name(name) && !language.definition.headers.contains(&extension);
        is_own(&extension) || is_c || !is_foreign
    };
    let included: Vec<_> = included.iter().filter(fits).collect();
    let is_free = |source: &&SourceText<'_>| !included.iter().any(|it| hides(source.file, it.file));
    ProgramSources {
        own: own.iter().filter(is_free).collect(),
        included,
    }
}

/// Gives sources the paths at which they are built, if these differ from the submitted ones.
pub(crate) fn rename<'a>(texts: &mut [SourceText<'a>], built: Option<&'a Vec<SourceFile>>) {
    for (text, file) in texts.iter_mut().zip(built.into_iter().flatten()) {
        text.file = file;
    }
}

/// Whether a file would shadow an included one.
fn hides(file: &SourceFile, included: &SourceFile) -> bool {
    let stem = included.path.split('.').next().unwrap_or_default();
    let mut folders = file.path.split('/').rev().skip(1);
    included.path.eq_ignore_ascii_case(file.name())
        || folders.any(|folder| folder.eq_ignore_ascii_case(stem))
}

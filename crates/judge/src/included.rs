//! Files of the problem's author that are built with every submission.

use std::borrow::Cow;

use grader_language::{Language, languages};
use grader_model::{LanguageId, SourceFile};

/// The sources of a submission with the author's files of this language, which come first, and how many those are. What has
/// the name of one of them, in whatever folder, is left out; so is a folder that hides one: Python takes `lib/__init__.py`
/// before `lib.py`.
pub(crate) fn with_included<'a>(
    language: &Language,
    sources: &'a [SourceFile],
    included: &[SourceFile],
) -> (Cow<'a, [SourceFile]>, usize) {
    let is_own = |extension: &String| language.extensions.contains(extension);
    let has_own = included.iter().any(|file| is_own(&file.extension()));
    let fits = |file: &&SourceFile| {
        let extension = file.extension();
        // A C++ compiler takes C too.
        let is_c = language.id == LanguageId::Cpp && extension == "c" && !has_own;
        let mut all = languages();
        is_own(&extension) || is_c || !all.any(|other| other.extensions.contains(&extension))
    };
    let mut files: Vec<SourceFile> = included.iter().filter(fits).cloned().collect();
    if files.is_empty() {
        return (Cow::Borrowed(sources), 0);
    }
    let of_author = files.len();
    for source in sources {
        let is_free = |file: &SourceFile| {
            let stem = file.path.split('.').next().unwrap_or_default();
            let mut folders = source.path.split('/').rev().skip(1);
            !file.path.eq_ignore_ascii_case(source.name())
                && !folders.any(|folder| folder.eq_ignore_ascii_case(stem))
        };
        if files[..of_author].iter().all(is_free) {
            files.push(source.clone());
        }
    }
    (Cow::Owned(files), of_author)
}

//! Files of the problem's author that are built with every submission.

use std::borrow::Cow;

use grader_language::{Language, languages};
use grader_model::{LanguageId, SourceFile};

/// The sources of a submission with the author's files of this language, which come first. What has the name of one of
/// those, in whatever folder, is left out.
pub(crate) fn with_included<'a>(
    language: &Language,
    sources: &'a [SourceFile],
    included: &[SourceFile],
) -> Cow<'a, [SourceFile]> {
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
        return Cow::Borrowed(sources);
    }
    let of_author = files.len();
    for source in sources {
        let is_free = |file: &SourceFile| !file.path.eq_ignore_ascii_case(source.name());
        if files[..of_author].iter().all(is_free) {
            files.push(source.clone());
        }
    }
    Cow::Owned(files)
}

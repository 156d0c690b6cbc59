//! The author's files that are built with every submission.

use grader_language::{Language, Languages, ProgramSources, SourceText, are_makefiles};
use grader_model::{Excerpt, LanguageId, SourceFile, Text};

/// A program's sources with the included files for its language. An included file replaces the one at its own path, and a
/// version of it elsewhere that cannot be built beside it. A folder that shadows one is left out. All else stays.
pub(crate) fn with_included<'a>(
    language: &Language,
    languages: &Languages,
    own: &'a [SourceText<'a>],
    included: &'a [SourceText<'a>],
) -> ProgramSources<'a> {
    let included: Vec<_> = of_language(language, languages, included).collect();
    let all: Vec<_> = included.iter().copied().chain(own).collect();
    let paths: Vec<_> = own.iter().map(|it| &*it.file.path).collect();
    let is_replaced = |source: &&SourceText<'_>| {
        let file = source.file;
        included.iter().any(|it| {
            let path = &*it.file.path;
            let has_name = path.eq_ignore_ascii_case(file.name());
            file.path.eq_ignore_ascii_case(path)
                || are_makefiles(&file.path, path)
                || language.is_shadow_of(&file.path, path, &paths)
                || has_name && language.is_version_of(source, it, &all)
        })
    };
    let (left_out, own) = own.iter().partition(is_replaced);
    ProgramSources {
        own,
        included,
        left_out,
    }
}

/// The included files that are built with programs in this language.
pub(crate) fn of_language<'a>(
    language: &Language,
    languages: &Languages,
    included: &'a [SourceText<'a>],
) -> impl Iterator<Item = &'a SourceText<'a>> {
    let is_own = |extension: &String| language.definition.extensions.contains(extension);
    let has_own = included.iter().any(|it| is_own(&it.file.extension()));
    included.iter().filter(move |source| {
        let extension = source.file.extension();
        // A C++ compiler accepts C, too.
        let is_c = language.id == LanguageId::Cpp && extension == "c" && !has_own;
        let name = source.file.name();
        let is_foreign = languages.of_file_name(name).is_some()
            || languages.is_header_name(name) && !language.definition.headers.contains(&extension);
        is_own(&extension) || is_c || !is_foreign
    })
}

/// What the student learns of files that were left out, unless they are the author's own.
pub(crate) fn remarks_on_left_out(sources: &ProgramSources<'_>) -> Vec<Text> {
    let is_equal = |one: &&&SourceText<'_>| {
        let mut included = sources.included.iter();
        included.any(|it| it.file.bytes == one.file.bytes)
    };
    let changed = sources.left_out.iter().filter(|it| !is_equal(it));
    let remarks = changed.map(|it| {
        let file = Excerpt::first(it.submitted.as_bytes(), 80);
        Text::new(
            format!("`{file}` was left out: the task's own file of that name takes its place."),
            format!("没有使用 `{file}`：本题有自己的同名文件，以它为准。"),
        )
    });
    remarks.collect()
}

/// Gives sources the paths at which they are built, if these differ from the submitted ones.
pub(crate) fn rename<'a>(texts: &mut [SourceText<'a>], built: Option<&'a Vec<SourceFile>>) {
    for (text, file) in texts.iter_mut().zip(built.into_iter().flatten()) {
        text.file = file;
    }
}

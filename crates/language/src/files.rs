//! Names of the files of a submission, and what they are to a compiler.

use std::collections::BTreeSet;

use grader_model::SourceFile;

/// The path as an argument that no compiler takes for an option or a response file.
pub(crate) fn argument(path: &str) -> String {
    if path.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        path.to_owned()
    } else {
        format!("./{path}")
    }
}

/// The folder of a path; empty for the top.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path, without its last extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The path of a file `name` in `folder`.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The folders of these paths as arguments behind `option`, each once.
pub(crate) fn folder_options<'a>(
    option: &str,
    paths: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    paths
        .into_iter()
        .map(folder)
        .filter(|folder| seen.insert(*folder))
        .map(|folder| format!("{option}./{folder}"))
        .collect()
}

/// The name if it can be shown in a message as it is, else escaped and cut.
pub(crate) fn shown(name: &str) -> String {
    grader_model::Excerpt::first(name.as_bytes(), 80).to_string()
}

/// The sources whose extension is one of `extensions`; all but headers where no extension fits, because then
/// the language was told from the content.
pub(crate) fn main_sources<'a>(
    sources: &'a [SourceFile],
    extensions: &[&str],
    headers: &[&str],
) -> Vec<&'a SourceFile> {
    let by_extension: Vec<&SourceFile> = sources
        .iter()
        .filter(|source| extensions.contains(&source.extension().as_str()))
        .collect();
    if !by_extension.is_empty() {
        return by_extension;
    }
    let rest: Vec<&SourceFile> = sources
        .iter()
        .filter(|source| !headers.contains(&source.extension().as_str()))
        .collect();
    if rest.is_empty() {
        sources.iter().collect()
    } else {
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_be_an_option() {
        assert_eq!(argument("-o@x #[.c"), "./-o@x #[.c");
        assert_eq!(argument("@x.java"), "./@x.java");
        assert_eq!(argument("皇后.c"), "皇后.c");
    }

    #[test]
    fn a_path_has_a_folder_and_a_stem() {
        assert_eq!(folder("a/b/c.c"), "a/b");
        assert_eq!(stem("a.b/c d.c"), "c d");
        assert_eq!(stem(".c"), ".c");
        assert_eq!(
            folder_options("-I", ["a/x.h", "y.h", "a/z.h"]),
            ["-I./a", "-I./"]
        );
    }
}

//! Names under which the files of a submission are written.

use grader_model::SourceFile;

/// The path of a source without parts that mean nothing or something else (`.`, `..`, empty).
pub(crate) fn clean(path: &str) -> String {
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    parts.join("/").replace('\0', "_")
}

/// The path as an argument that no compiler takes for an option or a response file.
pub(crate) fn argument(path: &str) -> String {
    if path.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        path.to_owned()
    } else {
        format!("./{path}")
    }
}

/// The name of the executable: one that no file or folder of the submission has.
pub(crate) fn executable(sources: &[SourceFile]) -> String {
    let mut name = "program".to_owned();
    while sources.iter().any(|source| {
        let path = clean(&source.path).to_lowercase();
        path.split('/').next() == Some(&name)
    }) {
        name.push('_');
    }
    name
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
    let mut options = Vec::new();
    for path in paths {
        let option = format!("{option}./{}", folder(path));
        if !options.contains(&option) {
            options.push(option);
        }
    }
    options
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
    fn a_name_can_neither_leave_the_folder_nor_be_an_option() {
        assert_eq!(clean("a/./../b//c.c"), "a/b/c.c");
        assert_eq!(argument(&clean("-o@x #[.c")), "./-o@x #[.c");
        assert_eq!(argument("@x.java"), "./@x.java");
        assert_eq!(argument("皇后.c"), "皇后.c");
        let program = SourceFile::new("program/main.c", Vec::new());
        assert_eq!(executable(&[program]), "program_");
        assert_eq!(folder("a/b/c.c"), "a/b");
        assert_eq!(stem("a.b/c d.c"), "c d");
        assert_eq!(stem(".c"), ".c");
        assert_eq!(
            folder_options("-I", ["a/x.h", "y.h", "a/z.h"]),
            ["-I./a", "-I./"]
        );
    }
}

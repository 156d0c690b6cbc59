//! The assignments that the binary carries, and the templates of new ones.

use grader_problem::MemoryLibrary;

/// The files of `problems/`, by their path below it.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The files of `templates/`, by their path below it.
const TEMPLATES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// The files of a bundled assignment, by their path in it.
pub(crate) fn files(id: &str) -> Vec<(&'static str, &'static [u8])> {
    below(FILES, id)
}

/// The files of a template, by their path in it.
pub(crate) fn template(name: &str) -> Vec<(&'static str, &'static [u8])> {
    below(TEMPLATES, name)
}

fn below(
    files: &'static [(&'static str, &'static [u8])],
    folder: &str,
) -> Vec<(&'static str, &'static [u8])> {
    let inside = |path: &'static str| path.strip_prefix(folder)?.strip_prefix('/');
    let files = files.iter();
    let files = files.filter_map(|(path, bytes)| Some((inside(path)?, *bytes)));
    files.collect()
}

/// The bundled assignments as a library of files.
pub(crate) fn library() -> MemoryLibrary {
    let files = FILES
        .iter()
        .map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec()))
        .collect();
    MemoryLibrary::new("bundled", files)
}

/// The folders of the bundled assignments, in alphabetical order.
pub(crate) fn folders() -> Vec<&'static str> {
    FILES
        .iter()
        .filter_map(|(path, _)| path.strip_suffix("/assignment.toml"))
        .collect()
}

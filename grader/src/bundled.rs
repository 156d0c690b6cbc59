//! The assignments that the binary carries.

use grader_problem::MemoryLibrary;

/// The files of `problems/`, by their path below it.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

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

//! The assignments that the binary carries, and the templates of new ones.

/// The files of `problems/`, by their path below it.
pub(crate) const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

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

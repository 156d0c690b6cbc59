//! The sources of submissions, which may have tags.

use grader_problem::{Library, LibraryEntry};

use crate::constants::MAX_TAG_FILES;

/// The text of a submission's files.
pub(super) fn source_texts(library: &dyn Library, path: &str, entry: &LibraryEntry) -> String {
    let inside = library.list(path).unwrap_or_default();
    let inside = inside.iter().map(|it| format!("{path}/{}", it.name));
    let own = (!entry.folder).then(|| path.to_owned());
    let files = own.into_iter().chain(inside.take(MAX_TAG_FILES));
    let texts = files.filter_map(|path| library.read(&path).ok());
    texts
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned() + "\n")
        .collect()
}

/// Whether a submission has a score that only DOMjudge reads.
pub(super) fn is_of_domjudge(library: &dyn Library) -> bool {
    let list = |folder: &str| library.list(folder).unwrap_or_default();
    list("submissions").iter().any(|folder| {
        let place = format!("submissions/{}", folder.name);
        list(&place).iter().any(|entry| {
            let path = format!("{place}/{}", entry.name);
            source_texts(library, &path, entry).contains("@EXPECTED_SCORE@: ")
        })
    })
}

//! Names of files and folders.

use std::ffi::OsStr;

use grader_model::extension_of;

/// A name or path as it may be shown: escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    grader_model::escaped(name.as_encoded_bytes())
}

/// The part of a name before the last dot.
pub(crate) fn stem_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The name of an archive without its extension: `s1` of `s1.tar.gz`.
pub(crate) fn without_ending(name: &str) -> &str {
    let stem = stem_of(name);
    let is_double = extension_of(stem) == "tar";
    if is_double { stem_of(stem) } else { stem }
}

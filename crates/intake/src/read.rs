//! Files read as far as is needed.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use grader_lms::open_regular;
use grader_model::natural_order;

use crate::name::shown;

/// The names of what a folder holds, escaped and as they are, in the order of names.
pub(crate) fn read_names(folder: &Path) -> io::Result<Vec<(String, OsString)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let raw = entry?.file_name();
        names.push((shown(&raw), raw));
    }
    // Different names can look alike once they are escaped.
    names.sort_by(|(a, a_raw), (b, b_raw)| natural_order(a, b).then_with(|| a_raw.cmp(b_raw)));
    Ok(names)
}

/// At most so many first bytes of a file.
pub(crate) fn read_beginning(location: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(location)?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file, or `None` if it has more than so many bytes.
pub(crate) fn read_at_most(location: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let bytes = read_beginning(location, most.saturating_add(1))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

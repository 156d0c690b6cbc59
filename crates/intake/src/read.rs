//! Files read as far as is needed.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use grader_lms::open_regular;
use grader_model::natural_order;

use crate::name::{Name, all_meant};

/// The names of what a folder holds, in their order.
pub(crate) fn read_names(folder: &Path) -> io::Result<Vec<Name>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
    let mut names = all_meant(names.collect::<io::Result<_>>()?);
    // Different names can look alike once they are escaped.
    names.sort_by(|a, b| natural_order(&a.shown, &b.shown).then_with(|| a.raw.cmp(&b.raw)));
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

//! Files read as far as is needed.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// At most so many first bytes of a file.
pub(crate) fn read_beginning(location: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(location)?
        .take(most)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file, or `None` if it has more than so many bytes.
pub(crate) fn read_at_most(location: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let bytes = read_beginning(location, most.saturating_add(1))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

//! Formats of archives, by how they begin.

use std::path::Path;

use grader_model::extension_of;

use crate::junk::is_archive;
use crate::read::read_beginning;

/// A format of archives.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Zip,
    Tar,
    /// A compressed tar archive, or one compressed file.
    Compressed(Compression),
    Unsupported(&'static str),
}

/// How a stream is compressed.
#[derive(Clone, Copy)]
pub(super) enum Compression {
    Gzip,
    Bzip2,
    Xz,
}

/// Number of leading bytes that identify the format.
pub(super) const BEGINNING: u64 = 512;

/// Bytes by which formats are recognised, and where they stand.
const FORMATS: [(usize, &[u8], Format); 9] = [
    (0, b"PK\x03\x04", Format::Zip),
    (0, b"PK\x05\x06", Format::Zip),
    (257, b"ustar", Format::Tar),
    (0, b"\x1f\x8b", Format::Compressed(Compression::Gzip)),
    (0, b"Rar!\x1a\x07", Format::Unsupported("RAR")),
    (0, b"7z\xbc\xaf\x27\x1c", Format::Unsupported("7z")),
    (0, b"\xfd7zXZ\0", Format::Compressed(Compression::Xz)),
    (0, b"BZh", Format::Compressed(Compression::Bzip2)),
    (0, b"\x28\xb5\x2f\xfd", Format::Unsupported("Zstandard")),
];

/// The format of an archive that begins so.
pub(super) fn format_of(beginning: &[u8]) -> Option<Format> {
    FORMATS.into_iter().find_map(|(at, magic, format)| {
        let found = beginning.get(at..)?;
        found.starts_with(magic).then_some(format)
    })
}

/// Whether a file is an archive: by its name, or by its beginning if the name has no extension.
pub(crate) fn is_archive_file(name: &str, location: &Path) -> bool {
    if !extension_of(name).is_empty() {
        return is_archive(name);
    }
    // A file that cannot be read is reported when it is read.
    let beginning = read_beginning(location, BEGINNING).unwrap_or_default();
    format_of(&beginning).is_some()
}

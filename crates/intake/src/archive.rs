//! Archives, unpacked entry by entry.
//!
//! Names are checked before they become paths; permissions, owners and times are ignored; only regular files and folders
//! are made, all below one fresh folder. Nothing else writes there and no links are made, so a path without `..` cannot
//! lead out. Stated sizes are not trusted: what was read counts, against [`Caps`].
//!
//! An entry that is unsafe, unreadable, too large or a link is skipped and reported; the others are unpacked all the same. If
//! the archive itself cannot be read on, what was read until then stays, and the reason is reported.

mod caps;
mod place;
mod tar;
mod zip;

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use grader_model::extension_of;

pub(crate) use self::caps::Caps;
use self::place::{Failure, Place};
pub(crate) use self::place::{Skipped, Unpacked};
use crate::junk::is_archive;
use crate::read::read_beginning;
use crate::reason;

/// Unpacks archives, each into a fresh folder.
pub(crate) struct Unpacker<'a> {
    scratch: &'a Path,
    next: Cell<u64>,
}

impl<'a> Unpacker<'a> {
    /// Folders are made in `scratch`.
    pub(crate) const fn new(scratch: &'a Path) -> Self {
        Self {
            scratch,
            next: Cell::new(1),
        }
    }

    /// Unpacks a regular file: where its contents are now, and what came of it.
    ///
    /// # Errors
    /// Only those of this machine. What is wrong with the archive is in the result.
    pub(crate) fn open(&self, archive: &Path, caps: &Caps) -> io::Result<(PathBuf, Unpacked)> {
        let into = loop {
            let number = self.next.replace(self.next.get() + 1);
            let path = self.scratch.join(format!("unpacked-{number}"));
            if path.symlink_metadata().is_err() {
                break path;
            }
        };
        let beginning = read_beginning(archive, BEGINNING)?;
        let file = File::open(archive)?;
        let stem = archive.file_stem().unwrap_or_default();
        let mut place = Place::new(&into, caps)?;
        let result = match format_of(&beginning) {
            Some(Format::Zip) => zip::unpack(file, &mut place),
            Some(Format::Tar) => tar::unpack(file, &mut place),
            Some(Format::Gzip) => tar::unpack_gzip(file, stem.as_encoded_bytes(), &mut place),
            Some(Format::Unsupported(name)) => Err(Failure::Archive(reason::unsupported(name))),
            None if beginning.is_empty() => Err(Failure::Archive(reason::empty())),
            None => Err(Failure::Archive(reason::neither_zip_nor_tar())),
        };
        place.unpacked.stopped = match result {
            Ok(()) => None,
            Err(Failure::Archive(why)) => Some(why),
            Err(Failure::Machine(error)) => return Err(error),
        };
        let unpacked = place.unpacked;
        Ok((into, unpacked))
    }
}

/// A format of archives.
#[derive(Clone, Copy)]
enum Format {
    Zip,
    Tar,
    /// `tar.gz`, or one compressed file.
    Gzip,
    Unsupported(&'static str),
}

/// Bytes that tell the format.
const BEGINNING: u64 = 512;

/// Bytes by which formats are recognised, and where they stand.
const FORMATS: [(usize, &[u8], Format); 9] = [
    (0, b"PK\x03\x04", Format::Zip),
    (0, b"PK\x05\x06", Format::Zip),
    (257, b"ustar", Format::Tar),
    (0, b"\x1f\x8b", Format::Gzip),
    (0, b"Rar!\x1a\x07", Format::Unsupported("RAR")),
    (0, b"7z\xbc\xaf\x27\x1c", Format::Unsupported("7z")),
    (0, b"\xfd7zXZ\0", Format::Unsupported("xz")),
    (0, b"BZh", Format::Unsupported("bzip2")),
    (0, b"\x28\xb5\x2f\xfd", Format::Unsupported("Zstandard")),
];

/// The format of an archive that begins so.
fn format_of(beginning: &[u8]) -> Option<Format> {
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

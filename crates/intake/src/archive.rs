//! Archives, unpacked entry by entry.
//!
//! Names are checked before they become paths; permissions, owners and times are ignored; only regular files and folders
//! are made, all below one fresh folder. Nothing else writes there and no links are made, so a path without `..` cannot
//! lead out. Stated sizes are not trusted: what was read counts, against [`Caps`].
//!
//! An entry that is unsafe, unreadable or too large is skipped and reported; the others are unpacked all the same. Where
//! the archive itself cannot be read on, what was read until then stays, and the reason is reported.

mod caps;
mod place;
mod tar;
mod zip;

use std::fs::{self, File};
use std::io;
use std::path::Path;

use grader_model::{Text, extension_of};

pub(crate) use self::caps::Caps;
use self::place::{Failure, Place};
pub(crate) use self::place::{Skipped, Unpacked};
use self::tar::{BEGINNING, is_tar};
use crate::junk::is_archive;
use crate::read::read_beginning;
use crate::reason;

/// Unpacks an archive into `into`, a folder that is made for it.
///
/// # Errors
/// Only those of this machine. What is wrong with the archive is in the result.
pub(crate) fn unpack(archive: &Path, into: &Path, caps: &Caps) -> io::Result<Unpacked> {
    // Opening a pipe would wait for its other end.
    if !fs::symlink_metadata(archive)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let format = Format::of(&read_beginning(archive, BEGINNING)?);
    let file = File::open(archive)?;
    let mut place = Place::new(into, caps)?;
    let unpacked = match format {
        Ok(Format::Zip) => zip::unpack_zip(file, &mut place),
        Ok(Format::Tar) => tar::unpack_plain(file, &mut place),
        Ok(Format::Gzip) => {
            let name = archive.file_name().unwrap_or_default();
            tar::unpack_gzip(file, name.as_encoded_bytes(), &mut place)
        }
        Err(why) => Err(Failure::Archive(why)),
    };
    match unpacked {
        Ok(()) => Ok(place.unpacked),
        Err(Failure::Archive(why)) => Ok(Unpacked {
            stopped: Some(why),
            ..place.unpacked
        }),
        Err(Failure::Machine(error)) => Err(error),
    }
}

/// A format of archives that is read.
enum Format {
    Zip,
    Tar,
    /// `tar.gz`, or one compressed file.
    Gzip,
}

/// How archives begin that are not read.
const UNSUPPORTED: [(&[u8], &str); 5] = [
    (b"Rar!\x1a\x07", "RAR"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
];

impl Format {
    /// The format of a file that begins so, or why it cannot be read.
    fn of(beginning: &[u8]) -> Result<Self, Text> {
        if beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PK\x05\x06") {
            return Ok(Self::Zip);
        }
        if beginning.starts_with(b"\x1f\x8b") {
            return Ok(Self::Gzip);
        }
        if is_tar(beginning) {
            return Ok(Self::Tar);
        }
        Err(match unsupported(beginning) {
            Some(name) => reason::unsupported(name),
            None if beginning.is_empty() => reason::empty(),
            None => reason::neither_zip_nor_tar(),
        })
    }
}

fn unsupported(beginning: &[u8]) -> Option<&'static str> {
    let mut formats = UNSUPPORTED.iter();
    formats.find_map(|(magic, name)| beginning.starts_with(magic).then_some(*name))
}

/// Whether a file is an archive: by its name, or by its beginning if the name has no extension.
pub(crate) fn is_archive_file(name: &str, location: &Path) -> bool {
    if is_archive(name) || !extension_of(name).is_empty() {
        return is_archive(name);
    }
    // A file that cannot be read is reported when it is read.
    let beginning = read_beginning(location, BEGINNING).unwrap_or_default();
    Format::of(&beginning).is_ok() || unsupported(&beginning).is_some()
}

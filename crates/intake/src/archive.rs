//! Archives, unpacked entry by entry.
//!
//! Names are checked before they become paths; permissions, owners and times are ignored; only regular files and folders
//! are made, all below one fresh folder. Nothing else writes there and no links are made, so a path without `..` cannot
//! lead out. Stated sizes are not trusted: what was read counts, against [`Caps`].
//!
//! An entry that is unsafe, unreadable, too large or a link is skipped and reported; the others are unpacked all the same. If
//! the archive itself cannot be read on, what was read until then stays, and the reason is reported.

mod caps;
mod format;
mod tar;
mod target;
mod zip;

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) use self::caps::Caps;
pub(crate) use self::format::is_archive_file;
use self::format::{BEGINNING, Format, format_of};
use self::target::{Failure, Target};
pub(crate) use self::target::{Skipped, Unpacked};
use crate::read::read_beginning;
use crate::reason;
use grader_lms::open_regular;

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
        let file = open_regular(archive)?;
        let stem = archive.file_stem().unwrap_or_default();
        let mut target = Target::new(&into, caps)?;
        let result = match format_of(&beginning) {
            Some(Format::Zip) => zip::unpack(file, &mut target),
            Some(Format::Tar) => tar::unpack(file, &mut target),
            Some(Format::Compressed(by)) => {
                tar::unpack_compressed(file, by, stem.as_encoded_bytes(), &mut target)
            }
            Some(Format::Unsupported(name)) => Err(Failure::Archive(reason::unsupported(name))),
            None if beginning.is_empty() => Err(Failure::Archive(reason::empty())),
            None => Err(Failure::Archive(reason::neither_zip_nor_tar())),
        };
        target.unpacked.stopped = match result {
            Ok(()) => None,
            Err(Failure::Archive(why)) => Some(why),
            Err(Failure::Machine(error)) => return Err(error),
        };
        let unpacked = target.unpacked;
        Ok((into, unpacked))
    }
}

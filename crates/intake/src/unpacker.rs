//! Where archives are unpacked.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::{Caps, Unpacked, unpack};

/// Gives each archive a fresh folder.
pub(crate) struct Unpacker<'a> {
    scratch: &'a Path,
    next: Cell<u64>,
}

impl<'a> Unpacker<'a> {
    pub(crate) const fn new(scratch: &'a Path) -> Self {
        Self {
            scratch,
            next: Cell::new(1),
        }
    }

    /// Unpacks an archive: where it is now, and what came of it.
    pub(crate) fn open(&self, archive: &Path, caps: &Caps) -> io::Result<(PathBuf, Unpacked)> {
        let into = loop {
            let number = self.next.replace(self.next.get() + 1);
            let path = self.scratch.join(format!("unpacked-{number}"));
            if path.symlink_metadata().is_err() {
                break path;
            }
        };
        let unpacked = unpack(archive, &into, caps)?;
        Ok((into, unpacked))
    }
}

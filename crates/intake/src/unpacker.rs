//! Where archives are unpacked.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::archive::{Caps, Unpacked, unpack};
use crate::submission::Submission;

/// Gives each archive a fresh folder.
pub(crate) struct Unpacker<'a> {
    scratch: &'a Path,
    next: Cell<u64>,
    /// Folders that were made since the last [`tidy`](Self::tidy).
    made: RefCell<Vec<PathBuf>>,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(scratch: &'a Path) -> Self {
        Self {
            scratch,
            next: Cell::new(1),
            made: RefCell::default(),
        }
    }

    /// Unpacks an archive: where it is now, and what came of it.
    pub(crate) fn open(&self, archive: &Path, caps: &Caps) -> io::Result<(PathBuf, Unpacked)> {
        let into = self.fresh();
        self.made.borrow_mut().push(into.clone());
        let unpacked = unpack(archive, &into, caps)?;
        Ok((into, unpacked))
    }

    /// Removes what was unpacked since the last call and no submission needs: a class can have gigabytes of it.
    pub(crate) fn tidy<'s>(&self, submissions: impl IntoIterator<Item = &'s Submission>) {
        let needed: HashSet<&Path> = submissions
            .into_iter()
            .flat_map(Submission::locations)
            .collect();
        for folder in self.made.take() {
            clear(&folder, &needed);
        }
    }

    /// A path at which nothing is yet.
    fn fresh(&self) -> PathBuf {
        loop {
            let number = self.next.replace(self.next.get() + 1);
            let path = self.scratch.join(format!("unpacked-{number}"));
            if path.symlink_metadata().is_err() {
                return path;
            }
        }
    }
}

/// Removes a folder but for the files that are needed. What cannot be removed goes with the scratch folder.
fn clear(folder: &Path, needed: &HashSet<&Path>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            clear(&path, needed);
        } else if !needed.contains(path.as_path()) {
            let _ = fs::remove_file(&path);
        }
    }
    // It fails if something is left.
    let _ = fs::remove_dir(folder);
}

//! Where archives go.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{Text, extension_of};

use crate::Submission;
use crate::archive::{Caps, Failure, Kind, Unpacked, unpack};
use crate::program::stem_of;

/// Most archives of one student that are opened, those inside others not counted.
const MOST_ARCHIVES: usize = 16;

/// Gives each archive a fresh folder.
pub(crate) struct Unpacker<'a> {
    scratch: &'a Path,
    next: Cell<u64>,
    /// What was made since it was last tidied.
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

    /// Unpacks an archive; where it is now, and what came of it.
    pub(crate) fn open(
        &self,
        archive: &Path,
        shown_name: &str,
        caps: &Caps,
    ) -> Result<(PathBuf, Unpacked), Failure> {
        let into = self.fresh();
        let unpacked = unpack(archive, shown_name, &into, caps)?;
        self.made.borrow_mut().push(into.clone());
        Ok((into, unpacked))
    }

    /// What was unpacked so far stays whole.
    pub(crate) fn keep(&self) {
        self.made.take();
    }

    /// Removes what was unpacked since then and no submission needs: a class can have gigabytes of it.
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
            let number = self.next.get();
            self.next.set(number + 1);
            let path = self.scratch.join(format!("unpacked-{number}"));
            if path.symlink_metadata().is_err() {
                return path;
            }
        }
    }
}

/// Removes what is in a folder, and it, but for what is needed. What cannot be removed takes room and does no harm;
/// it goes with the whole.
fn clear(folder: &Path, needed: &HashSet<&Path>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            clear(&path, needed);
        } else if !needed.contains(path.as_path()) {
            let _ = fs::remove_file(&path);
        }
    }
    // It fails where something is left.
    let _ = fs::remove_dir(folder);
}

/// How much one student's archives may still be.
pub(crate) struct Allowance<'a> {
    unpacker: &'a Unpacker<'a>,
    archives: usize,
    caps: Caps,
}

impl<'a> Allowance<'a> {
    pub(crate) fn new(unpacker: &'a Unpacker<'a>) -> Self {
        Self {
            unpacker,
            archives: MOST_ARCHIVES,
            caps: Caps::default(),
        }
    }

    /// Unpacks an archive as long as there is room.
    pub(crate) fn open(
        &mut self,
        archive: &Path,
        shown_name: &str,
    ) -> Result<(PathBuf, Unpacked), Failure> {
        self.archives = self.archives.checked_sub(1).ok_or_else(|| {
            Failure::Refused(Text::new(
                format!(
                    "`{shown_name}` is not opened: there are more than {MOST_ARCHIVES} archives"
                ),
                format!("未打开 `{shown_name}`：压缩包多于 {MOST_ARCHIVES} 个"),
            ))
        })?;
        let opened = self.unpacker.open(archive, shown_name, &self.caps)?;
        self.caps.total = self.caps.total.saturating_sub(opened.1.bytes);
        Ok(opened)
    }
}

/// Whether a file is an archive: by its name, or by its beginning where the name has no ending.
pub(crate) fn is_archive_file(name: &str, location: &Path) -> bool {
    // What cannot be read is found out, and said, when it is read as what its name says.
    Kind::of_file(name, location)
        .unwrap_or_else(|_| Kind::of(name, &[]))
        .is_some()
}

/// The name of an archive without its ending: `s1` of `s1.tar.gz`.
pub(crate) fn without_ending(name: &str) -> &str {
    let stem = stem_of(name);
    let is_double = extension_of(stem) == "tar";
    if is_double { stem_of(stem) } else { stem }
}

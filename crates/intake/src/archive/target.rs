//! The folder that an archive is unpacked into.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use grader_model::{Bytes, Text, decode_name, escaped};

use super::caps::Caps;
use crate::name::meant;
use crate::{junk, reason};

/// What came of an archive.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// Entries that may hold work and were not unpacked.
    pub(crate) skipped: Vec<Skipped>,
    /// Why the rest of the archive was not read.
    pub(crate) stopped: Option<Text>,
    /// Files that were written.
    pub(crate) files: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

/// An entry of an archive that may hold work and was not unpacked.
#[derive(Clone, Debug)]
pub(crate) struct Skipped {
    /// The folders and the name; the name alone if the path is unsafe; empty if there is no name.
    pub(crate) parts: Vec<String>,
    /// Its path as the archive has it, escaped.
    pub(crate) shown: String,
    /// Why.
    pub(crate) reason: Text,
}

/// Why an entry, or the rest of an archive, cannot be unpacked.
#[derive(Debug)]
pub(super) enum Failure {
    /// The archive is to blame.
    Archive(Text),
    /// This machine is to blame: the disk is full, the file cannot be read.
    Machine(io::Error),
}

impl Failure {
    pub(super) fn damaged() -> Self {
        Self::Archive(reason::damaged())
    }

    /// Copying from the archive failed. Decoders report damage as I/O errors too, but those have no error number; a seek to
    /// a place that makes no sense is damage as well.
    pub(super) fn copying(error: io::Error) -> Self {
        if error.raw_os_error().is_some() && error.kind() != io::ErrorKind::InvalidInput {
            Self::Machine(error)
        } else if error.kind() == io::ErrorKind::OutOfMemory {
            Self::Archive(reason::memory(Bytes(u64::from(Caps::XZ_KIB) << 10)))
        } else {
            Self::damaged()
        }
    }

    /// A file or folder cannot be made: the file system knows which names are taken.
    fn creating(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                Self::Archive(reason::name_taken())
            }
            io::ErrorKind::InvalidFilename | io::ErrorKind::InvalidInput => {
                Self::Archive(reason::bad_name())
            }
            _ => Self::Machine(error),
        }
    }
}

/// The folder that is filled.
pub(super) struct Target<'a> {
    root: &'a Path,
    pub(super) caps: &'a Caps,
    entries: u64,
    pub(super) unpacked: Unpacked,
}

/// An entry that is to be unpacked.
pub(super) struct Entry {
    /// Its folders and its name: never empty, `.` or `..`, without slashes.
    parts: Vec<String>,
    /// Whether its name is that of a folder.
    pub(super) is_folder: bool,
}

impl<'a> Target<'a> {
    /// Makes the folder, which must not exist. Only its owner may enter it: it holds everybody's work.
    pub(super) fn new(root: &'a Path, caps: &'a Caps) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).create(root)?;
        Ok(Self {
            root,
            caps,
            entries: 0,
            unpacked: Unpacked::default(),
        })
    }

    /// The entry of this name; `None` if it is junk or must be skipped, which is noted.
    pub(super) fn admit(&mut self, name: &[u8]) -> Result<Option<Entry>, Failure> {
        let path = decode_name(name);
        let parts = path.split(['/', '\\']).map(str::to_owned);
        let parts = parts.filter(|part| !part.is_empty() && part != ".");
        let mut entry = Entry {
            parts: parts.collect(),
            is_folder: path.ends_with(['/', '\\']),
        };
        if entry.parts.is_empty() && path.starts_with('.') {
            // The archive's own folder.
            return Ok(None);
        }
        if self.cut_to_junk(&mut entry) {
            self.leave_empty(entry)?;
            return Ok(None);
        }
        self.count()?;
        let Some(reason) = flaw(&entry.parts) else {
            return Ok(Some(entry));
        };
        // Only the name of an unsafe path says what it may be.
        self.unpacked.skipped.push(Skipped {
            parts: entry.parts.pop().into_iter().collect(),
            shown: if path.is_empty() {
                "(nameless)".to_owned()
            } else {
                shown(&path)
            },
            reason,
        });
        Ok(None)
    }

    /// Takes note of a failure to unpack an entry, so that the next can be unpacked.
    pub(super) fn settle(
        &mut self,
        entry: Entry,
        result: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Err(Failure::Archive(reason)) = result else {
            return result;
        };
        let meant = entry.parts.iter().map(|part| meant(part.as_ref()));
        let meant: PathBuf = meant.collect();
        self.unpacked.skipped.push(Skipped {
            shown: shown(&meant.to_string_lossy()),
            parts: entry.parts,
            reason,
        });
        Ok(())
    }

    pub(super) fn make_folder(&mut self, entry: &Entry) -> Result<(), Failure> {
        fs::create_dir_all(self.location(&entry.parts)).map_err(Failure::creating)
    }

    /// Writes a file. `size` is what the archive states, `packed` the bytes that it takes there.
    pub(super) fn write(
        &mut self,
        entry: &Entry,
        size: Option<u64>,
        packed: Option<u64>,
        from: &mut dyn Read,
    ) -> Result<(), Failure> {
        let (most, why) = self.allowed(packed);
        if size.is_some_and(|size| size > most) {
            return Err(Failure::Archive(why));
        }
        let mut out = self.create(entry)?;
        let copied = io::copy(&mut from.take(most.saturating_add(1)), &mut out);
        let failure = match copied {
            Ok(written) if written > most => Failure::Archive(why),
            Ok(written) if size.is_some_and(|size| size != written) => Failure::damaged(),
            Ok(written) => {
                self.unpacked.files += 1;
                self.unpacked.bytes += written;
                return Ok(());
            }
            Err(error) => Failure::copying(error),
        };
        fs::remove_file(self.location(&entry.parts)).map_err(Failure::Machine)?;
        Err(failure)
    }

    fn create(&self, entry: &Entry) -> Result<File, Failure> {
        let location = self.location(&entry.parts);
        let folder = location.parent().unwrap_or(self.root);
        let made = fs::create_dir_all(folder).and_then(|()| File::create_new(&location));
        made.map_err(Failure::creating)
    }

    /// Most bytes that the next file may have, and what is wrong if it has more.
    fn allowed(&self, packed: Option<u64>) -> (u64, Text) {
        let left = self.caps.total.saturating_sub(self.unpacked.bytes);
        let unpacked = packed.map_or(u64::MAX, |packed| self.caps.unpacked(packed));
        let most = self.caps.file.min(left).min(unpacked);
        let why = if most == unpacked {
            reason::bomb(Caps::RATIO)
        } else if most == left {
            reason::large_total(Bytes(self.caps.total))
        } else {
            reason::large_file(Bytes(self.caps.file))
        };
        (most, why)
    }

    fn count(&mut self) -> Result<(), Failure> {
        self.entries += 1;
        let most = self.caps.entries;
        if self.entries > most {
            return Err(Failure::Archive(reason::too_many_entries(most)));
        }
        Ok(())
    }

    /// Whether an entry is junk, or lies in a folder that is: then it becomes that folder.
    fn cut_to_junk(&self, entry: &mut Entry) -> bool {
        let Entry { parts, is_folder } = entry;
        if !self.caps.skip_junk || parts.iter().any(|part| part == "..") {
            return false;
        }
        let is_junk = |&depth: &usize| {
            let is_folder = *is_folder || depth + 1 < parts.len();
            junk::junk(&parts[depth], is_folder).is_some()
        };
        let found = (0..parts.len()).find(is_junk);
        if let Some(depth) = found {
            *is_folder |= depth + 1 < parts.len();
            parts.truncate(depth + 1);
        }
        found.is_some()
    }

    /// Makes an empty file or folder for junk, which is reported and counted once however much is in it.
    fn leave_empty(&mut self, junk: Entry) -> Result<(), Failure> {
        if self.location(&junk.parts).exists() {
            return Ok(());
        }
        self.count()?;
        let made = if junk.is_folder {
            self.make_folder(&junk)
        } else {
            self.create(&junk).map(drop)
        };
        self.settle(junk, made)
    }

    fn location(&self, parts: &[String]) -> PathBuf {
        let mut location = self.root.to_owned();
        location.extend(parts);
        location
    }
}

/// What is wrong with a path. A leading slash or a drive is not: all paths lead below the root.
fn flaw(parts: &[String]) -> Option<Text> {
    if parts.is_empty() {
        Some(reason::nameless())
    } else if parts.iter().any(|part| part == "..") {
        Some(reason::upwards())
    } else {
        (parts.len() > Caps::DEPTH + 1).then(|| reason::deep_path(Caps::DEPTH))
    }
}

/// Most characters of a path that are shown.
const MAX_SHOWN: usize = 120;

/// A path as it may be shown: escaped and, if it is long, cut.
fn shown(path: &str) -> String {
    // Cut first: an escape is never shorter than its character.
    match path.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}…", escaped(&path.as_bytes()[..at])),
        None => escaped(path.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_what_is_too_large_and_goes_on() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("work");
        let caps = Caps {
            entries: 4,
            file: 10,
            total: 15,
            ..Caps::STUDENT
        };
        let mut target = Target::new(&root, &caps).unwrap();
        let mut add = |name: &str, size: usize| {
            let entry = target.admit(name.as_bytes())?.unwrap();
            let written = target.write(&entry, None, None, &mut vec![0_u8; size].as_slice());
            target.settle(entry, written)
        };
        for (name, size) in [("a", 11), ("b", 10), ("c", 6), ("d", 5)] {
            add(name, size).unwrap();
        }
        let Err(Failure::Archive(stop)) = add("e", 1) else {
            panic!("more entries than the cap");
        };
        assert_eq!(stop.en, "it holds more than 4 files and folders");
        let skipped = target.unpacked.skipped.iter();
        let skipped: Vec<_> = skipped
            .map(|skipped| (skipped.shown.as_str(), skipped.reason.en.as_str()))
            .collect();
        assert_eq!(
            skipped,
            [
                ("a", "it is larger than 10 B"),
                ("c", "all files together are larger than 15 B"),
            ]
        );
        let left = ["a", "b", "c", "d", "e"].map(|name| root.join(name).exists());
        assert_eq!(left, [false, true, false, true, false]);
    }
}

//! The folder that an archive is unpacked into.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use encoding_rs::GBK;
use grader_model::{Bytes, Text, UnusedFile, escaped};

use super::caps::Caps;
use crate::{junk, reason};

/// What came of an archive.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// Entries that hold no work: junk, links, devices. Paths are below the archive, escaped.
    pub(crate) unused: Vec<UnusedFile>,
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
    /// The folders and the name; the name alone if the path is unsafe, and nothing if there is no name.
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

    /// Reading from the archive failed. Decoders report damage as I/O errors too, but those have no error number; a seek to
    /// a place that makes no sense is damage as well.
    pub(super) fn reading(error: io::Error) -> Self {
        if error.raw_os_error().is_some() && error.kind() != io::ErrorKind::InvalidInput {
            Self::Machine(error)
        } else {
            Self::damaged()
        }
    }
}

/// The folder that is filled.
pub(super) struct Place<'a> {
    root: &'a Path,
    pub(super) caps: &'a Caps,
    entries: u64,
    /// Junk that is reported already.
    junk: HashSet<Vec<String>>,
    pub(super) unpacked: Unpacked,
}

/// An entry that is to be unpacked.
pub(super) struct Entry {
    /// Its folders and its name: never empty, `.` or `..`, without slashes.
    parts: Vec<String>,
    /// Whether its name is that of a folder.
    pub(super) is_folder: bool,
}

impl Entry {
    fn shown(&self) -> String {
        shown(&self.parts.join("/"))
    }
}

impl<'a> Place<'a> {
    /// Makes the folder, which must not exist. Only its owner may enter it: it holds everybody's work.
    pub(super) fn new(root: &'a Path, caps: &'a Caps) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).create(root)?;
        Ok(Self {
            root,
            caps,
            entries: 0,
            junk: HashSet::new(),
            unpacked: Unpacked::default(),
        })
    }

    /// The entry of this name; `None` if it is junk or must be skipped, which is noted.
    pub(super) fn admit(&mut self, name: &[u8]) -> Result<Option<Entry>, Failure> {
        let path = decode(name);
        let parts: Vec<String> = path
            .split(['/', '\\'])
            .filter(|part| !part.is_empty() && *part != ".")
            .map(str::to_owned)
            .collect();
        let is_folder = path.ends_with(['/', '\\']);
        if parts.is_empty() && path.starts_with('.') {
            // The archive's own folder.
            return Ok(None);
        }
        if let Some((depth, reason)) = self.junk_in(&parts, is_folder) {
            let found = &parts[..=depth];
            if self.junk.insert(found.to_vec()) {
                self.count()?;
                let path = shown(&found.join("/"));
                self.unpacked.unused.push(junk::unused(path, reason, false));
            }
            return Ok(None);
        }
        self.count()?;
        let entry = Entry { parts, is_folder };
        let Some(why) = flaw(&path, &entry) else {
            return Ok(Some(entry));
        };
        // Only the name of an unsafe path says what it may be.
        self.unpacked.skipped.push(Skipped {
            parts: entry.parts.into_iter().next_back().into_iter().collect(),
            shown: if path.is_empty() {
                "(nameless)".to_owned()
            } else {
                shown(&path)
            },
            reason: why,
        });
        Ok(None)
    }

    /// Takes note of a failure to unpack an entry, so that the next can be unpacked.
    pub(super) fn settle(
        &mut self,
        entry: Entry,
        result: Result<(), Failure>,
    ) -> Result<(), Failure> {
        match result {
            Err(Failure::Archive(reason)) => {
                self.unpacked.skipped.push(Skipped {
                    shown: entry.shown(),
                    parts: entry.parts,
                    reason,
                });
                Ok(())
            }
            result => result,
        }
    }

    /// Takes note of an entry that holds no work.
    pub(super) fn unused(&mut self, entry: &Entry, reason: Text) {
        let unused = junk::unused(entry.shown(), reason, true);
        self.unpacked.unused.push(unused);
    }

    pub(super) fn make_folder(&mut self, entry: &Entry) -> Result<(), Failure> {
        fs::create_dir_all(self.location(&entry.parts)).map_err(creating)
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
        let (folders, _) = entry.parts.split_at(entry.parts.len() - 1);
        fs::create_dir_all(self.location(folders)).map_err(creating)?;
        let location = self.location(&entry.parts);
        let mut out = File::create_new(&location).map_err(creating)?;
        let written = match copy(from, &mut out, most) {
            Ok(Some(written)) if size.is_none_or(|size| size == written) => Ok(written),
            Ok(Some(_)) => Err(Failure::damaged()),
            Ok(None) => Err(Failure::Archive(why)),
            Err(failure) => Err(failure),
        };
        match written {
            Ok(written) => {
                self.unpacked.files += 1;
                self.unpacked.bytes += written;
                Ok(())
            }
            Err(failure) => {
                fs::remove_file(&location).map_err(Failure::Machine)?;
                Err(failure)
            }
        }
    }

    /// Most bytes that the next file may have, and what is wrong if it has more.
    fn allowed(&self, packed: Option<u64>) -> (u64, Text) {
        let left = self.caps.total.saturating_sub(self.unpacked.bytes);
        let unpacked = packed.map_or(u64::MAX, Caps::unpacked);
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
        if self.entries > self.caps.entries {
            return Err(Failure::Archive(reason::too_many_entries(
                self.caps.entries,
            )));
        }
        Ok(())
    }

    fn junk_in(&self, parts: &[String], is_folder: bool) -> Option<(usize, Text)> {
        if !self.caps.skip_junk || parts.iter().any(|part| part == "..") {
            return None;
        }
        (0..parts.len()).find_map(|depth| {
            let is_folder = is_folder || depth + 1 < parts.len();
            Some((depth, junk::junk(&parts[depth], is_folder)?))
        })
    }

    fn location(&self, parts: &[String]) -> PathBuf {
        let mut location = self.root.to_owned();
        location.extend(parts);
        location
    }
}

/// Copies at most so many bytes; `None` if there are more.
fn copy(from: &mut dyn Read, out: &mut File, most: u64) -> Result<Option<u64>, Failure> {
    let mut buffer = vec![0; 64 << 10];
    let mut written = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(Some(written)),
            Ok(count) => {
                written += count as u64;
                if written > most {
                    return Ok(None);
                }
                out.write_all(&buffer[..count]).map_err(Failure::Machine)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::reading(error)),
        }
    }
}

/// Why a file or folder could not be made: the file system knows which names are taken.
fn creating(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            Failure::Archive(reason::name_taken())
        }
        io::ErrorKind::InvalidFilename => Failure::Archive(reason::long_name()),
        _ => Failure::Machine(error),
    }
}

/// What makes a path unsafe.
fn flaw(path: &str, entry: &Entry) -> Option<Text> {
    let has_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if entry.parts.is_empty() {
        Some(reason::nameless())
    } else if path.contains('\0') {
        Some(reason::null_byte())
    } else if path.starts_with(['/', '\\']) || has_drive {
        Some(reason::absolute())
    } else if entry.parts.iter().any(|part| part == "..") {
        Some(reason::upwards())
    } else if entry.parts.len() > Caps::DEPTH + 1 {
        Some(reason::deep_path(Caps::DEPTH))
    } else {
        None
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

/// A name as text. What is not UTF-8 was most likely packed on a Chinese Windows, in GBK; of what is neither, the
/// bytes that are no text become `%` and their number.
fn decode(name: &[u8]) -> String {
    if let Ok(text) = str::from_utf8(name) {
        return text.to_owned();
    }
    if let Some(text) = GBK.decode_without_bom_handling_and_without_replacement(name) {
        return text.into_owned();
    }
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        // Not with a backslash as elsewhere: that separates.
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02x}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_utf_8_or_gbk_or_spelled_out() {
        assert_eq!(decode("八皇后.c".as_bytes()), "八皇后.c");
        let (gbk, _, _) = GBK.encode("八皇后.c");
        assert_eq!(decode(&gbk), "八皇后.c");
        assert_eq!(decode(b"a\xff.c"), "a%ff.c");
        // The second byte is that of a backslash: names are decoded before they are split.
        assert_eq!(decode(b"\xd5\x5c.c"), "誠.c");
    }

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
        let mut place = Place::new(&root, &caps).unwrap();
        let mut add = |name: &str, size: usize| {
            let entry = place.admit(name.as_bytes())?.unwrap();
            let written = place.write(&entry, None, None, &mut vec![0_u8; size].as_slice());
            place.settle(entry, written)
        };
        for (name, size) in [("a", 11), ("b", 10), ("c", 6), ("d", 5)] {
            add(name, size).unwrap();
        }
        let Err(Failure::Archive(stop)) = add("e", 1) else {
            panic!("more entries than the cap");
        };
        assert_eq!(stop.en, "it holds more than 4 files and folders");
        let skipped = place.unpacked.skipped.iter();
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

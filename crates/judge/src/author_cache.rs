//! A cache of compiled programs and verified problems, in the user's cache folder.
//!
//! Grading never reads it, so that no points depend on it; it only keeps what it has built, for searches. An entry is a file, named after a hash of all that its content
//! depends on, which begins with a hash of that name and the content. The folder must belong to this user, and be open to
//! nobody else; programs in the sandbox do not see it. It is opened once, and every file beneath this descriptor, so that
//! a link or a folder that replaces it later has no effect. A file that is not as it was written is removed.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use grader_model::Isolation;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::constants::{MAX_CACHE_BYTES, MAX_CACHE_ENTRY_BYTES};
use crate::hash::hash;
use crate::keys::of_machine;

/// Flags of every descriptor of ours.
const FLAGS: OFlags = OFlags::CLOEXEC
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK);
/// Bytes of the hash before an entry's content.
const HASH_BYTES: usize = 64;

/// The cache. Several graders may use it at a time.
#[derive(Debug)]
pub struct AuthorCache {
    folder: OwnedFd,
    /// A hash of this grader, the machine and its software: part of every key.
    machine: String,
    /// Numbers the files that are being written.
    written: AtomicU64,
    /// Bytes that were written since the oldest files were removed.
    bytes: AtomicU64,
}

impl AuthorCache {
    /// Opens the cache in a folder with this name below one of this user, and makes that if it does not exist. `None` if one of the
    /// two belongs to somebody else, or the last one is open to others.
    pub fn open(caches: &Path, name: &str, isolation: &Isolation) -> Option<Self> {
        let user = rustix::process::geteuid().as_raw();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let is_ours = |folder: &OwnedFd, others: u32| {
            rustix::fs::fstat(folder).is_ok_and(|it| it.st_uid == user && it.st_mode & others == 0)
        };
        let caches = rustix::fs::open(caches, flags, Mode::empty()).ok()?;
        if !is_ours(&caches, 0) {
            return None;
        }
        // It may exist.
        let _ = rustix::fs::mkdirat(&caches, name, Mode::RWXU);
        let flags = flags | OFlags::NOFOLLOW;
        let folder = rustix::fs::openat(&caches, name, flags, Mode::empty()).ok()?;
        if !is_ours(&folder, 0o077) {
            return None;
        }
        let cache = Self {
            folder,
            machine: of_machine(isolation),
            written: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        };
        // What cannot be removed counts as nothing.
        let _ = cache.trim();
        Some(cache)
    }

    /// The key of an entry that depends on these words, this grader and this machine.
    pub(crate) fn key<'a>(&'a self, words: impl IntoIterator<Item = &'a [u8]>) -> String {
        hash([self.machine.as_bytes()].into_iter().chain(words))
    }

    /// The content of an entry.
    pub(crate) fn find(&self, key: &str) -> Option<Vec<u8>> {
        let flags = OFlags::RDONLY | FLAGS;
        let found = rustix::fs::openat(&self.folder, key, flags, Mode::empty());
        let whole = match found {
            Err(Errno::NOENT) => return None,
            Err(_) => None,
            Ok(file) => Self::read(key, &File::from(file)),
        };
        if whole.is_none() {
            // A later run rewrites it. A folder cannot be unlinked; that key is then never cached.
            let _ = rustix::fs::unlinkat(&self.folder, key, AtFlags::empty());
        }
        whole
    }

    /// The content of an entry's file, if it is as we wrote it.
    fn read(key: &str, file: &File) -> Option<Vec<u8>> {
        let found = file.metadata().ok()?;
        let user = rustix::process::geteuid().as_raw();
        let is_ours = found.is_file() && found.uid() == user && found.nlink() == 1;
        if !is_ours || found.mode() & 0o077 != 0 || found.len() > MAX_CACHE_ENTRY_BYTES {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(MAX_CACHE_ENTRY_BYTES)
            .read_to_end(&mut bytes)
            .ok()?;
        let (sum, content) = bytes.split_at_checked(HASH_BYTES)?;
        if sum != hash([key.as_bytes(), content]).as_bytes() {
            return None;
        }
        // The oldest are removed first.
        let _ = file.set_modified(SystemTime::now());
        Some(bytes.split_off(HASH_BYTES))
    }

    /// Keeps the content of an entry, if possible.
    pub(crate) fn keep(&self, key: &str, content: &[u8]) {
        let bytes = (HASH_BYTES + content.len()) as u64;
        if bytes > MAX_CACHE_ENTRY_BYTES {
            return;
        }
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) > MAX_CACHE_BYTES / 4 {
            self.bytes.store(0, Ordering::Relaxed);
            let _ = self.trim();
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let new = format!(".{}-{number}", std::process::id());
        let written = self.write(&new, key, content);
        if written.is_err() {
            let _ = rustix::fs::unlinkat(&self.folder, &new, AtFlags::empty());
        }
    }

    fn write(&self, new: &str, key: &str, content: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | FLAGS;
        let mode = Mode::RUSR | Mode::WUSR;
        let mut file = File::from(rustix::fs::openat(&self.folder, new, flags, mode)?);
        file.write_all(hash([key.as_bytes(), content]).as_bytes())?;
        file.write_all(content)?;
        Ok(rustix::fs::renameat(&self.folder, new, &self.folder, key)?)
    }

    /// Removes the oldest files until three quarters of the space are enough, if the cache is too large.
    fn trim(&self) -> io::Result<()> {
        let mut files: Vec<(i64, u64, CString)> = Vec::new();
        for entry in Dir::read_from(&self.folder)? {
            let name = entry?.file_name().to_owned();
            let found = rustix::fs::statat(&self.folder, &name, AtFlags::SYMLINK_NOFOLLOW);
            if let Ok(found) = found
                && FileType::from_raw_mode(found.st_mode) != FileType::Directory
            {
                files.push((found.st_mtime, found.st_size as u64, name));
            }
        }
        let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
        if bytes > MAX_CACHE_BYTES {
            files.sort();
            for (_, size, name) in files {
                if bytes <= MAX_CACHE_BYTES / 4 * 3 {
                    break;
                }
                // Another grader may have removed it.
                let _ = rustix::fs::unlinkat(&self.folder, &name, AtFlags::empty());
                bytes -= size;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

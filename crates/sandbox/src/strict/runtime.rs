//! The runtime of compiled programs: the dynamic loader and the usual libraries.
//!
//! Each launcher copies them to memory when it starts. Then a program sees no files on disk, whose page cache is shared
//! and outlives it, and concurrent programs share no files at all.

use std::env::consts::ARCH;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Dynamic loaders of 64-bit C libraries, as programs name them.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Libraries of C, C++ and Rust. musl's is named after the architecture.
const LIBRARIES: [&str; 8] = [
    "libc.so.6",
    "libm.so.6",
    "libstdc++.so.6",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libatomic.so.1",
];
/// Folders that a loader searches after those named after the architecture.
const FOLDERS: [&str; 4] = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];
/// The locale of every program; built into newer C libraries.
const LOCALE: &str = "/usr/lib/locale/C.utf8";

/// This host's runtime files: their paths on the host and inside.
pub(super) fn files() -> Vec<(PathBuf, PathBuf)> {
    let multiarch = ["/lib", "/usr/lib"].map(|folder| format!("{folder}/{ARCH}-linux-gnu"));
    let folders: Vec<&str> = multiarch
        .iter()
        .map(String::as_str)
        .chain(FOLDERS)
        .collect();
    let musl = format!("libc.musl-{ARCH}.so.1");
    let libraries = LIBRARIES.into_iter().chain([&*musl]).filter_map(|name| {
        let mut candidates = folders.iter().map(|folder| Path::new(folder).join(name));
        // A folder of this name may contain a 32-bit library.
        candidates.find(|path| Linkage::of(path).is_ok())
    });
    let loaders = LOADERS.map(PathBuf::from).into_iter();
    let mut files: Vec<_> = loaders
        .chain(libraries)
        .filter_map(|path| place(&path))
        .collect();
    if Path::new(LOCALE).exists() {
        files.push((LOCALE.into(), LOCALE.into()));
    }
    files
}

/// Whether a program sees only the runtime, which it does unless it names a different loader or a library path. A
/// program that needs other libraries does not start: naming a library must not be a way to open the system's folders.
pub(super) fn suffices_for(program: &Path) -> bool {
    let is_known = |loader: &[u8]| {
        let mut known = LOADERS.iter().filter(|path| Path::new(path).exists());
        known.any(|path| path.as_bytes() == loader)
    };
    Linkage::of(program).map_or(true, |it| {
        !it.has_path && it.loader.as_deref().is_none_or(is_known)
    })
}

/// A host file and its path inside: its own name, in its folder with all links resolved. The tree also has the links
/// from the root to the system's folders.
fn place(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let file = fs::canonicalize(path).ok()?;
    Some((file, folder.join(path.file_name()?)))
}

/// Dynamic linking of an ELF file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Linkage {
    /// The loader; `None` for a library and for a static program.
    loader: Option<Vec<u8>>,
    /// Whether it names a library path.
    has_path: bool,
}

impl Linkage {
    /// Reads a 64-bit little-endian file. It may be a student's, so all sizes are bounded.
    fn of(path: &Path) -> io::Result<Self> {
        const SEGMENT: usize = 56;
        const MAX_SEGMENTS: usize = 64;
        const MAX_DYNAMIC: usize = 64 << 10;
        const MAX_NAME: usize = 256;
        const DYNAMIC: usize = 2;
        const INTERPRETER: usize = 3;
        const RPATH: usize = 15;
        const RUNPATH: usize = 29;

        let file = File::open(path)?;
        let read = |offset: usize, size: usize| {
            let mut bytes = vec![0; size];
            file.read_exact_at(&mut bytes, offset as u64)
                .map(|()| bytes)
        };
        let head = read(0, 64)?;
        let (size, count) = (number(&head[54..56]), number(&head[56..58]));
        if head[..6] != *b"\x7fELF\x02\x01" || size != SEGMENT || count > MAX_SEGMENTS {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut linkage = Self::default();
        for segment in read(number(&head[32..40]), SEGMENT * count)?.chunks_exact(SEGMENT) {
            let (offset, size) = (number(&segment[8..16]), number(&segment[32..40]));
            match number(&segment[..4]) {
                INTERPRETER => {
                    let name = read(offset, size.min(MAX_NAME))?;
                    linkage.loader = name.split(|&byte| byte == 0).next().map(<[u8]>::to_vec);
                }
                DYNAMIC => {
                    let entries = read(offset, size.min(MAX_DYNAMIC))?;
                    let kinds = entries.chunks_exact(16).map(|entry| number(&entry[..8]));
                    linkage.has_path = kinds
                        .take_while(|&kind| kind != 0)
                        .any(|kind| kind == RPATH || kind == RUNPATH);
                }
                _ => {}
            }
        }
        Ok(linkage)
    }
}

/// A little-endian number.
fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with a loader and one entry of its dynamic section.
    fn program(loader: &str, kind: u64) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(64, 0);
        (bytes[32], bytes[54], bytes[56]) = (64, 56, 2);
        let place = 64 + 2 * 56;
        let end = place + loader.len() as u64;
        for (kind, offset, size) in [(3, place, loader.len() as u64), (2, end, 32)] {
            for word in [kind, offset, offset, offset, size, size, 8] {
                bytes.extend(u64::to_le_bytes(word));
            }
        }
        bytes.extend(loader.as_bytes());
        for word in [kind, 1, 0, 0] {
            bytes.extend(u64::to_le_bytes(word));
        }
        bytes
    }

    fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), bytes).unwrap();
        file
    }

    #[test]
    fn only_an_unknown_loader_or_a_library_path_opens_the_system_to_a_program() {
        let mut loaders = LOADERS.into_iter().filter(|path| Path::new(path).exists());
        let known = format!("{}\0", loaders.next().unwrap_or("/none"));
        for (loader, kind, expected) in [
            (&*known, 1, true),
            (&*known, 15, false),
            (&*known, 29, false),
            ("/tmp/loader\0", 1, false),
            ("", 1, false),
        ] {
            let file = written(&program(loader, kind));
            assert_eq!(suffices_for(file.path()), expected, "{loader} {kind}");
        }
        assert!(suffices_for(Path::new("/proc/self/exe")));
        assert!(suffices_for(Path::new("/etc/passwd")));
    }

    #[test]
    fn a_broken_program_is_refused_or_read_within_bounds() {
        let whole = program("/lib/loader.so\0", 29);
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 0xff;
            // Any answer, but no panic.
            let read = Linkage::of(written(&broken).path());
            assert!(at >= 6 || read.is_err(), "{at}");
            assert!(Linkage::of(written(&whole[..at]).path()).is_err(), "{at}");
        }
    }
}

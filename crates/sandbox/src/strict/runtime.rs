//! The run time of compiled programs: the dynamic loader, and the libraries that nearly every program needs.
//!
//! They are copied into the memory of each launcher when it starts. A program that needs no others then sees no file of
//! the system's disk, whose page cache outlives it and is everybody's; and two programs that run at the same time
//! share no file at all.

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::elf::{Needs, until_nul};

/// Where C libraries of 64 bits have their dynamic loaders, as programs name them.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// The libraries of C, C++ and Rust; that of musl is named after the machine.
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
/// The cache of the dynamic loader, made by `ldconfig`, and what it begins with since glibc 2.32.
const CACHE: &str = "/etc/ld.so.cache";
const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// The sizes of its head and of an entry.
const HEAD: usize = 48;
const ENTRY: usize = 24;
/// Folders that a loader looks into without it, after those that are named after the machine.
const FOLDERS: [&str; 4] = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The locale of every program. (Another one is there if the file of all others is small.)
const LOCALE: &str = "/usr/lib/locale/C.utf8";
const LOCALES: &str = "/usr/lib/locale/locale-archive";
/// The largest file of locales that is copied: each launcher has its own.
const SMALL_LOCALES: u64 = 4 << 20;

/// What was found on this host.
#[derive(Default)]
pub(super) struct Runtime {
    /// The dynamic loaders, by the paths by which programs name them.
    loaders: Vec<&'static str>,
    /// Names of libraries that are here with all that they need in turn.
    libraries: Vec<Vec<u8>>,
    /// What is to be copied: paths on the host, and inside.
    files: Vec<(PathBuf, PathBuf)>,
}

impl Runtime {
    /// Looks for the loader and the libraries; what is not here is left out.
    pub(super) fn find() -> Self {
        let Ok(machine) = Needs::of(Path::new("/proc/self/exe")).map(|needs| needs.machine) else {
            return Self::default();
        };
        let cache = fs::read(CACHE).unwrap_or_default();
        let musl = format!("libc.musl-{ARCH}.so.1");
        let mut runtime = Self::default();
        for loader in LOADERS {
            if Needs::of(Path::new(loader)).is_ok_and(|needs| needs.machine == machine) {
                runtime.loaders.push(loader);
                // Libraries name it too.
                let name = Path::new(loader).file_name().unwrap_or_default();
                runtime.libraries.push(name.as_bytes().to_vec());
                runtime.files.extend(place(Path::new(loader)));
            }
        }
        let mut found = BTreeMap::new();
        for name in LIBRARIES.into_iter().chain([&*musl]) {
            let candidates = candidates(&cache, name).into_iter();
            let mut fitting = candidates.filter_map(|(path, is_plain)| {
                let needs = Needs::of(&path).ok()?;
                (needs.machine == machine).then_some((path, is_plain, needs))
            });
            // Where there is one for this very processor besides, the loader chooses.
            if let Some((path, true, needs)) = fitting.next()
                && fitting.all(|(_, is_plain, _)| is_plain)
                && !needs.has_path
                && let Some(place) = place(&path)
            {
                found.insert(name.as_bytes().to_vec(), (needs, place));
            }
        }
        // Without those that need what is not here, until there are none.
        loop {
            let lacks = |needs: &Needs| {
                let mut libraries = needs.libraries.iter();
                libraries.any(|it| !found.contains_key(it) && !runtime.libraries.contains(it))
            };
            let lacking = found.iter().find(|(_, (needs, _))| lacks(needs));
            let Some(lacking) = lacking.map(|(name, _)| name.clone()) else {
                break;
            };
            found.remove(&lacking);
        }
        for (name, (_, place)) in found {
            runtime.libraries.push(name);
            runtime.files.push(place);
        }
        let is_small = |path: &str| {
            fs::metadata(path).is_ok_and(|meta| meta.is_dir() || meta.len() <= SMALL_LOCALES)
        };
        for locale in [LOCALE, LOCALES].into_iter().filter(|path| is_small(path)) {
            runtime.files.push((locale.into(), locale.into()));
        }
        runtime
    }

    /// What is to be copied: paths on the host, and inside.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.files
            .iter()
            .map(|(host, inside)| (host.as_path(), inside.as_path()))
    }

    /// Whether a program needs nothing else. It may be made by anybody.
    pub(super) fn suffices_for(&self, program: &Path) -> bool {
        Needs::of(program).is_ok_and(|needs| self.suffices(&needs))
    }

    fn suffices(&self, needs: &Needs) -> bool {
        let has_loader = match &needs.loader {
            None => needs.libraries.is_empty(),
            Some(loader) => self.loaders.iter().any(|it| it.as_bytes() == loader),
        };
        let mut libraries = needs.libraries.iter();
        has_loader && !needs.has_path && libraries.all(|it| self.libraries.contains(it))
    }
}

/// A file of the host and its place inside: under its own name, in the folder behind all links, for the links from
/// the root to the system's folders are in the tree too.
fn place(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let file = fs::canonicalize(path).ok()?;
    Some((file, folder.join(path.file_name()?)))
}

/// Where a loader may find a library, best first, and whether that is for any processor: by its cache, else in its
/// folders.
fn candidates(cache: &[u8], name: &str) -> Vec<(PathBuf, bool)> {
    let cached = cached(cache, name.as_bytes());
    if !cached.is_empty() {
        return cached;
    }
    let multiarch = ["/lib", "/usr/lib"].map(|folder| format!("{folder}/{ARCH}-linux-gnu"));
    let folders = multiarch.iter().map(String::as_str).chain(FOLDERS);
    folders
        .map(|folder| (Path::new(folder).join(name), true))
        .collect()
}

/// The entries of a name in a cache: after the head, each has kind, places of name and path, version of the system,
/// and processor.
fn cached(cache: &[u8], name: &[u8]) -> Vec<(PathBuf, bool)> {
    let number = |bytes: &[u8], at: usize| {
        let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    if !cache.starts_with(MAGIC) {
        return Vec::new();
    }
    let text = |at: usize| cache.get(at..).map(until_nul);
    let count = number(cache, MAGIC.len()).unwrap_or(0);
    let entries = cache.get(HEAD..).unwrap_or_default().chunks_exact(ENTRY);
    entries
        .take(count)
        .filter(|entry| number(entry, 4).and_then(text).as_deref() == Some(name))
        .filter_map(|entry| {
            let path = number(entry, 8).and_then(text)?;
            let is_plain = entry[16..].iter().all(|&byte| byte == 0);
            Some((PathBuf::from(OsStr::from_bytes(&path)), is_plain))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_of_the_loader_is_read() {
        let strings: &[(&str, &str, u64)] = &[
            ("libm.so.6", "/lib/libm.so.6", 0),
            (
                "libm.so.6",
                "/lib/glibc-hwcaps/x86-64-v3/libm.so.6",
                1 << 62,
            ),
            ("libmpc.so.3", "/usr/lib/libmpc.so.3", 0),
        ];
        let mut cache = MAGIC.to_vec();
        cache.extend(u32::try_from(strings.len()).unwrap().to_le_bytes());
        cache.resize(HEAD, 0);
        let mut text = Vec::new();
        let start = HEAD + strings.len() * ENTRY;
        for &(name, path, processor) in strings {
            cache.extend(0x0303_u32.to_le_bytes());
            for word in [name, path] {
                cache.extend(u32::try_from(start + text.len()).unwrap().to_le_bytes());
                text.extend(word.as_bytes());
                text.push(0);
            }
            cache.extend([0; 4]);
            cache.extend(processor.to_le_bytes());
        }
        cache.extend(text);
        assert_eq!(
            cached(&cache, b"libm.so.6"),
            [
                (PathBuf::from(strings[0].1), true),
                (PathBuf::from(strings[1].1), false)
            ]
        );
        assert_eq!(cached(&cache, b"libc.so.6"), []);
        // Cut off anywhere, it names less, and never more.
        for end in 0..cache.len() {
            assert!(cached(&cache[..end], b"libm.so.6").len() <= 2);
        }
    }

    #[test]
    fn a_program_of_the_usual_libraries_needs_no_more_and_others_do() {
        let runtime = Runtime::find();
        let sufficient = |loader: &str, libraries: &[&str]| {
            let needs = Needs {
                loader: Some(loader.as_bytes().to_vec()),
                libraries: libraries.iter().map(|it| it.as_bytes().to_vec()).collect(),
                ..Needs::default()
            };
            runtime.suffices(&needs)
        };
        let Some(loader) = runtime.loaders.first() else {
            eprintln!("skipped: no dynamic loader that we know");
            return;
        };
        assert!(sufficient(loader, &[]));
        assert!(!sufficient("/tmp/loader", &[]));
        assert!(!sufficient(loader, &["libnowhere.so.1"]));
        // This very program, as far as the standard library goes.
        assert!(runtime.suffices_for(Path::new("/proc/self/exe")));
        assert!(!runtime.suffices_for(Path::new("/etc/passwd")));
    }

    #[test]
    fn a_broken_program_needs_no_more_than_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let whole = fs::read("/proc/self/exe").unwrap();
        let runtime = Runtime::find();
        // Whatever stands where tables are: an answer, and no panic.
        for at in (0..64).chain(64..64 + 56 * 12) {
            let mut broken = whole[..whole.len().min(1 << 16)].to_vec();
            broken[at] ^= 0xff;
            fs::write(&program, broken).unwrap();
            let _ = runtime.suffices_for(&program);
        }
    }
}

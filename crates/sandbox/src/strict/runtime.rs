//! The run time of compiled programs: the dynamic loader, and the libraries that nearly every program needs.
//!
//! They are copied into the memory of each launcher when it starts. A program that needs no others then sees no file of
//! the system's disk, whose page cache outlives it and is everybody's; and two programs that run at the same time
//! share no file at all. Other libraries of the system that a program is linked with are copied for its run only.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::elf::{Needs, until_nul};
use crate::system_paths;

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

/// Room for all other libraries of one program.
pub(super) const OTHERS: u64 = 64 << 20;

/// What was found on this host.
#[derive(Default)]
pub(super) struct Runtime {
    machine: u16,
    /// What [`CACHE`] holds.
    cache: Vec<u8>,
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
        let musl = format!("libc.musl-{ARCH}.so.1");
        let mut runtime = Self {
            machine,
            cache: fs::read(CACHE).unwrap_or_default(),
            ..Self::default()
        };
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
            let mut fitting = runtime.fitting(name.as_bytes());
            // If there is also a CPU-specific variant (hwcaps), only the loader knows which it picks: leave the library
            // out.
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

    /// What a program needs besides, as [`Self::files`]; `None` if it needs the system's folders: it names another loader
    /// or a path to its libraries, or we know no loader.
    pub(super) fn others_for(&self, program: &Path) -> Option<Vec<(PathBuf, PathBuf)>> {
        match Needs::of(program) {
            Ok(needs) => self.others(needs),
            // It cannot be executed with them either.
            Err(_) => (!self.loaders.is_empty()).then(Vec::new),
        }
    }

    /// Programs are made by anybody. So what cannot be found in the system's folders, or is too much, is left out (the
    /// program does not start): a source that names such a library must not open the system's folders.
    fn others(&self, needs: Needs) -> Option<Vec<(PathBuf, PathBuf)>> {
        let is_known = |loader: &Vec<u8>| self.loaders.iter().any(|it| it.as_bytes() == loader);
        if needs.has_path || !needs.loader.iter().all(is_known) {
            return None;
        }
        let mut known: BTreeSet<Vec<u8>> = self.libraries.iter().cloned().collect();
        let mut places: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        let mut room = OTHERS;
        let mut waiting = needs.libraries;
        while let Some(name) = waiting.pop() {
            // A name with a slash is a path, which the loader takes as it is.
            if name.contains(&b'/') || known.contains(&name) {
                continue;
            }
            // All variants: the loader chooses.
            for (path, _, needs) in self.fitting(&name) {
                let Some((host, inside)) = place(&path)
                    .filter(|(host, inside)| [host, inside].iter().all(|path| is_in_system(path)))
                else {
                    continue;
                };
                let size = fs::metadata(&host).map_or(u64::MAX, |meta| meta.len());
                if size <= room && places.insert(inside, host).is_none() {
                    room -= size;
                    waiting.extend(needs.libraries);
                }
            }
            known.insert(name);
        }
        Some(
            places
                .into_iter()
                .map(|(inside, host)| (host, inside))
                .collect(),
        )
    }

    /// The libraries of a name for this machine, best first, and whether each is for any processor.
    fn fitting(&self, name: &[u8]) -> impl Iterator<Item = (PathBuf, bool, Needs)> + use<> {
        let machine = self.machine;
        let candidates = candidates(&self.cache, name).into_iter();
        candidates.filter_map(move |(path, is_plain)| {
            let needs = Needs::of(&path).ok()?;
            (needs.machine == machine).then_some((path, is_plain, needs))
        })
    }
}

fn is_in_system(path: &Path) -> bool {
    system_paths::FOLDERS
        .iter()
        .any(|folder| path.starts_with(folder))
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
fn candidates(cache: &[u8], name: &[u8]) -> Vec<(PathBuf, bool)> {
    let cached = cached(cache, name);
    if !cached.is_empty() {
        return cached;
    }
    let multiarch = ["/lib", "/usr/lib"].map(|folder| format!("{folder}/{ARCH}-linux-gnu"));
    let folders = multiarch.iter().map(String::as_str).chain(FOLDERS);
    folders
        .map(|folder| (Path::new(folder).join(OsStr::from_bytes(name)), true))
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
    fn only_a_loader_or_a_path_of_its_own_opens_the_system_to_a_program() {
        let runtime = Runtime::find();
        let Some(loader) = runtime.loaders.first() else {
            eprintln!("skipped: no dynamic loader that we know");
            return;
        };
        let needs = |loader: &str, libraries: &[&str]| Needs {
            loader: Some(loader.as_bytes().to_vec()),
            libraries: libraries.iter().map(|it| it.as_bytes().to_vec()).collect(),
            ..Needs::default()
        };
        let nothing = Some(Vec::new());
        assert_eq!(runtime.others(needs(loader, &[])), nothing);
        assert_eq!(runtime.others(needs("/tmp/loader", &[])), None);
        let has_path = Needs {
            has_path: true,
            ..needs(loader, &[])
        };
        assert_eq!(runtime.others(has_path), None);
        for absent in ["libnowhere.so.1", "", "..", loader, "../../etc/passwd"] {
            assert_eq!(
                runtime.others(needs(loader, &[absent])),
                nothing,
                "{absent}"
            );
        }
        // This very program, as far as the standard library goes.
        assert_eq!(runtime.others_for(Path::new("/proc/self/exe")), nothing);
        assert_eq!(runtime.others_for(Path::new("/etc/passwd")), nothing);
    }
}

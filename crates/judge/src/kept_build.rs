//! A built program as one entry of the cache: its report as a line of JSON, then an archive of its files.

use std::path::Path;
use std::sync::Arc;

use grader_language::{Language, Plan};
use grader_model::{BuildReport, CpuTime};
use tar::{Archive, Builder};

use crate::author_cache::AuthorCache;
use crate::constants::MAX_CACHE_ENTRY_BYTES;
use crate::keys::of_toolchain;
use crate::workspace::files_in;

/// The place of a build in the cache.
pub(crate) struct KeptBuild<'a> {
    cache: &'a AuthorCache,
    key: String,
}

impl<'a> KeptBuild<'a> {
    /// That of a plan in this folder of the sandbox. `None` if a script or the author's command builds it: the compilers that
    /// these start are in no key.
    pub(crate) fn of(
        cache: &'a AuthorCache,
        language: &Arc<Language>,
        plan: &Plan,
        inside: &Path,
        time: CpuTime,
    ) -> Option<Self> {
        if language.has_unknown_tools() {
            return None;
        }
        let toolchain = of_toolchain(Some(language));
        let commands = format!("{:?}", (&plan.step, inside, time));
        let files = plan.files.iter();
        let files = files.flat_map(|(path, bytes)| [path.as_bytes(), bytes]);
        let words = [toolchain.as_bytes(), commands.as_bytes()];
        let key = cache.key(words.into_iter().chain(files));
        Some(Self { cache, key })
    }

    /// Writes what is kept into an empty folder. `None` if nothing is.
    pub(crate) fn unpack(&self, folder: &Path) -> Option<BuildReport> {
        unpack(&self.cache.find(&self.key)?, folder)
    }

    /// Keeps a folder, if possible.
    pub(crate) fn keep(&self, folder: &Path, report: &BuildReport) {
        if let Some(packed) = packed(folder, report) {
            self.cache.keep(&self.key, &packed);
        }
    }
}

/// Packs the files of a build folder. `None` if an entry cannot hold them.
fn packed(folder: &Path, report: &BuildReport) -> Option<Vec<u8>> {
    let mut line = serde_json::to_vec(report).ok()?;
    line.push(b'\n');
    let mut archive = Builder::new(line);
    // The first is the folder itself.
    for (path, meta) in files_in(folder).ok()?.into_iter().skip(1) {
        let name = path.strip_prefix(folder).ok()?;
        // A compiler's own cache is not needed to run the program.
        if name.starts_with(".cache") {
            continue;
        }
        let bytes = archive.get_ref().len() as u64 + meta.len();
        if !(meta.is_dir() || meta.is_file()) || bytes > MAX_CACHE_ENTRY_BYTES {
            return None;
        }
        archive.append_path_with_name(&path, name).ok()?;
    }
    archive.into_inner().ok()
}

/// Writes packed files into an empty folder. `None` if that is not possible; the caller then overwrites what was
/// unpacked.
fn unpack(packed: &[u8], folder: &Path) -> Option<BuildReport> {
    let end = packed.iter().position(|byte| *byte == b'\n')?;
    let (report, archive) = packed.split_at(end + 1);
    let report = serde_json::from_slice(report).ok()?;
    Archive::new(archive).unpack(folder).ok()?;
    Some(report)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tar::Header;

    use super::*;

    #[test]
    fn a_program_comes_back_as_it_was_and_never_outside_its_folder() {
        let top = tempfile::tempdir().unwrap();
        let (from, to) = (top.path().join("from"), top.path().join("to"));
        fs::create_dir_all(from.join("classes/.deep")).unwrap();
        fs::create_dir_all(from.join(".cache/go")).unwrap();
        fs::create_dir(&to).unwrap();
        for (path, content, mode) in [
            ("program", "\n\0binary\n", 0o555),
            ("classes/.deep/a b", "", 0o444),
            (".cache/go/x", "left out", 0o444),
        ] {
            fs::write(from.join(path), content).unwrap();
            fs::set_permissions(from.join(path), Permissions::from_mode(mode)).unwrap();
        }
        let report = BuildReport {
            toolchain: "gcc 12".to_owned(),
            messages: None,
            for_student: None,
            cpu: CpuTime::default(),
        };
        let kept = packed(&from, &report).unwrap();
        assert_eq!(unpack(&kept, &to), Some(report.clone()));
        assert_eq!(fs::read(to.join("program")).unwrap(), b"\n\0binary\n");
        let mode = |path: &str| fs::metadata(to.join(path)).unwrap().permissions().mode() & 0o111;
        assert_eq!((mode("program"), mode("classes/.deep/a b")), (0o111, 0));
        assert!(!to.join(".cache").exists());

        for name in ["../out", "/out", "a/../../out"] {
            let mut header = Header::new_gnu();
            header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            let mut bad = serde_json::to_vec(&report).unwrap();
            bad.push(b'\n');
            let mut archive = Builder::new(bad);
            archive.append(&header, &b""[..]).unwrap();
            unpack(&archive.into_inner().unwrap(), &to);
        }
        assert!(unpack(b"", &to).is_none() && unpack(b"{}\n", &to).is_none());
        assert_eq!(unpack(&kept[..kept.len() - 1600], &to), None);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 2);

        std::os::unix::fs::symlink("/etc/passwd", from.join("link")).unwrap();
        assert_eq!(packed(&from, &report), None);
    }
}

//! A built program as one entry of the cache: a line of JSON, then the contents of its files.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path};

use grader_model::BuildReport;
use serde::{Deserialize, Serialize};

use crate::Fault;
use crate::author_cache::AuthorCache;
use crate::constants::MAX_CACHE_ENTRY_BYTES;
use crate::workspace::{files_in, write};

#[derive(Serialize, Deserialize)]
struct Head {
    report: BuildReport,
    files: Vec<KeptFile>,
}

#[derive(Serialize, Deserialize)]
struct KeptFile {
    path: String,
    is_program: bool,
    bytes: usize,
}

/// Keeps a build folder in the cache, if possible.
pub(crate) fn keep(cache: &AuthorCache, key: &str, folder: &Path, report: &BuildReport) {
    if let Some(packed) = packed(folder, report) {
        cache.keep(key, &packed);
    }
}

/// Packs the files of a build folder. `None` if an entry cannot hold them.
fn packed(folder: &Path, report: &BuildReport) -> Option<Vec<u8>> {
    let (mut files, mut contents) = (Vec::new(), Vec::new());
    for (path, meta) in files_in(folder).ok()? {
        let name = path.strip_prefix(folder).ok()?.to_str()?.to_owned();
        // A compiler's own cache is not needed to run the program.
        if meta.is_dir() || name.starts_with(".cache/") {
            continue;
        }
        if !meta.is_file() || contents.len() as u64 + meta.len() > MAX_CACHE_ENTRY_BYTES {
            return None;
        }
        let content = fs::read(&path).ok()?;
        files.push(KeptFile {
            path: name,
            is_program: meta.permissions().mode() & 0o100 != 0,
            bytes: content.len(),
        });
        contents.extend(content);
    }
    let report = report.clone();
    let mut packed = serde_json::to_vec(&Head { report, files }).ok()?;
    packed.push(b'\n');
    packed.extend(contents);
    Some(packed)
}

/// Writes packed files into an empty folder. `None` if the format is wrong; the caller then
/// overwrites what was unpacked.
pub(crate) fn unpack(packed: &[u8], folder: &Path) -> Result<Option<BuildReport>, Fault> {
    let mut parts = packed.splitn(2, |byte| *byte == b'\n');
    let head = parts
        .next()
        .and_then(|it| serde_json::from_slice::<Head>(it).ok());
    let (Some(Head { report, files }), Some(mut rest)) = (head, parts.next()) else {
        return Ok(None);
    };
    for file in files {
        let mut names = Path::new(&file.path).components();
        let Some((content, others)) = rest.split_at_checked(file.bytes) else {
            return Ok(None);
        };
        if !names.all(|name| matches!(name, Component::Normal(_))) {
            return Ok(None);
        }
        rest = others;
        let path = folder.join(file.path);
        write(&path, content)?;
        if file.is_program {
            let made = fs::set_permissions(&path, Permissions::from_mode(0o755));
            made.map_err(Fault::file("write", &path))?;
        }
    }
    Ok(Some(report))
}

#[cfg(test)]
mod tests {
    use grader_model::CpuTime;

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
            cpu: CpuTime::default(),
        };
        let kept = packed(&from, &report).unwrap();
        assert_eq!(unpack(&kept, &to).unwrap(), Some(report.clone()));
        assert_eq!(fs::read(to.join("program")).unwrap(), b"\n\0binary\n");
        let mode = |path: &str| fs::metadata(to.join(path)).unwrap().permissions().mode() & 0o111;
        assert_eq!((mode("program"), mode("classes/.deep/a b")), (0o111, 0));
        assert!(!to.join(".cache").exists());

        for (path, bytes) in [
            ("../out", 0),
            ("/tmp/out", 0),
            ("a/../../out", 0),
            ("", 0),
            ("a", 9),
        ] {
            let file = KeptFile {
                path: path.to_owned(),
                is_program: true,
                bytes,
            };
            let head = Head {
                report: report.clone(),
                files: vec![file],
            };
            let mut bad = serde_json::to_vec(&head).unwrap();
            bad.extend(b"\nshort");
            let unpacked = unpack(&bad, &to);
            assert!(!matches!(unpacked, Ok(Some(_))), "{path}");
        }
        assert!(unpack(b"", &to).unwrap().is_none() && unpack(b"{}\n", &to).unwrap().is_none());
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 2);

        std::os::unix::fs::symlink("/etc/passwd", from.join("link")).unwrap();
        assert_eq!(packed(&from, &report), None);
    }
}

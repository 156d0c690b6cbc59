//! Finding compilers on this machine, behind links, shims and proxies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Toolchain;

/// Folders that every sandbox shows to a program, and that a toolchain therefore need not name.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// Where compilers look for their helpers (`as`, `ld`).
const HELPERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Programs that stand in front of a compiler under the compiler's name and are useless under their own.
const WRAPPERS: [&str; 4] = ["ccache", "distcc", "sccache", "icecc"];

/// The value of `PATH`.
pub(crate) fn path() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// The programs of this name in the folders of `path`, in its order.
pub(crate) fn candidates(path: &OsStr, name: &str) -> Vec<PathBuf> {
    env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .filter(|program| is_executable(program))
        .filter(|program| !is_wrapper(program))
        .collect()
}

#[cfg(unix)]
fn is_executable(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(program).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(program: &Path) -> bool {
    program.is_file()
}

fn is_wrapper(program: &Path) -> bool {
    let real = real(program);
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    WRAPPERS.iter().any(|wrapper| name.contains(wrapper))
}

/// The path behind all links; the path itself where it cannot be resolved.
pub(crate) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// What a program says about itself: its standard output and then its standard error; nothing when it fails.
///
/// It is started in `/`, so that no file of the current folder (`rust-toolchain.toml`, `.python-version`)
/// chooses another version than the one that is used later.
pub(crate) fn ask(program: &Path, arguments: &[&str]) -> Option<String> {
    let answer = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|answer| answer.status.success())?;
    let mut text = String::from_utf8_lossy(&answer.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&answer.stderr));
    Some(text)
}

/// The first version number in a text: `12.2.0`.
pub(crate) fn version(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[start..];
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches('.'))
}

/// The leading numbers of a version: `[3, 11]` of `3.11.7`, for comparison.
pub(crate) fn numbers(version: &str) -> [u32; 2] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    [parts.next().unwrap_or(0), parts.next().unwrap_or(0)]
}

/// Those of the folders that lie outside the system's own.
pub(crate) fn outside_system(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = folders
        .into_iter()
        .filter(|folder| folder.parent().is_some())
        .filter(|folder| !SYSTEM.iter().any(|system| folder.starts_with(system)))
        .collect();
    // A folder comes before what lies in it.
    kept.sort();
    kept.dedup_by(|inner, outer| inner.starts_with(outer));
    kept
}

/// The folder above a program's `bin`, where its libraries are.
pub(crate) fn prefix(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.parent()?.to_owned())
}

/// The environment of a compiler: helpers on `PATH`, UTF-8, and the build folder for whatever it writes.
pub(crate) fn build_environment(toolchain: &Toolchain, build: &Path) -> Vec<(OsString, OsString)> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let own = toolchain
        .programs
        .iter()
        .filter_map(|program| program.parent());
    for folder in own.chain(HELPERS.iter().map(Path::new)) {
        if !folders.iter().any(|known| known == folder) {
            folders.push(folder.to_owned());
        }
    }
    // Only a folder with a colon in its name cannot be joined; then the helpers alone must do.
    let path = env::join_paths(folders).unwrap_or_else(|_| HELPERS.join(":").into());
    vec![
        ("PATH".into(), path),
        ("LC_ALL".into(), "C.UTF-8".into()),
        ("HOME".into(), build.into()),
        ("TMPDIR".into(), build.into()),
    ]
}

/// The environment of a student's program.
pub(crate) fn run_environment() -> Vec<(OsString, OsString)> {
    vec![
        ("PATH".into(), "/usr/bin:/bin".into()),
        ("LC_ALL".into(), "C.UTF-8".into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_version_number_of_a_text_is_found() {
        assert_eq!(
            version("gcc (Debian 12.2.0-14+deb12u1) 12.2.0"),
            Some("12.2.0")
        );
        assert_eq!(version("Python 3."), Some("3"));
        assert_eq!(version("no number"), None);
        assert_eq!(numbers("3.11.7"), [3, 11]);
        assert_eq!(numbers("17"), [17, 0]);
    }

    #[test]
    fn a_folder_of_the_system_need_not_be_named() {
        let folders = [
            "/usr/lib/jvm",
            "/opt/gcc",
            "/",
            "/opt/gcc",
            "/opt/gcc/lib",
            "/etc/java-17",
        ];
        assert_eq!(
            outside_system(folders.map(PathBuf::from)),
            [PathBuf::from("/etc/java-17"), PathBuf::from("/opt/gcc")]
        );
    }

    #[test]
    fn a_compiler_cache_is_not_taken_for_the_compiler() {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("ccache");
        fs::write(&bin, "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt as _, symlink};
            fs::set_permissions(&bin, fs::Permissions::from_mode(0o755)).unwrap();
            symlink(&bin, folder.path().join("gcc")).unwrap();
        }
        assert_eq!(
            candidates(folder.path().as_os_str(), "gcc"),
            Vec::<PathBuf>::new()
        );
    }
}

//! Finding compilers on this machine, behind links, shims and proxies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

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

/// So long a program may take to say its version; one that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(10);

/// Questions to the programs that are found, and what the first of them died of that is no answer.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    broken: Option<String>,
}

impl Questions {
    /// What a program says about itself: its standard output and then its standard error; nothing when it
    /// fails.
    pub(crate) fn ask(&mut self, program: &Path, arguments: &[&str]) -> Option<String> {
        self.ask_within(PATIENCE, program, arguments)
    }

    /// A program that ends with a failure has answered: a shim in front of nothing, a version too old for the
    /// question. One that hangs, is killed or cannot be started is broken.
    fn ask_within(
        &mut self,
        patience: Duration,
        program: &Path,
        arguments: &[&str],
    ) -> Option<String> {
        match run(patience, program, arguments) {
            Ok(output) if output.status.success() => {
                let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
                text.push_str(&String::from_utf8_lossy(&output.stderr));
                Some(text)
            }
            Ok(output) if output.status.code().is_some() => None,
            Ok(output) => self.note(program, &output.status),
            Err(why) => self.note(program, &why),
        }
    }

    fn note(&mut self, program: &Path, why: &dyn Display) -> Option<String> {
        self.broken
            .get_or_insert_with(|| format!("`{}`: {why}", program.display()));
        None
    }

    /// Which program is broken, and how, where one is.
    pub(crate) fn broken(self) -> Option<String> {
        self.broken
    }
}

/// Runs a program to its end.
///
/// It is started in `/`, so that no file of the current folder (`rust-toolchain.toml`, `.python-version`)
/// chooses another version than the one that is used later; and in a process group of its own, because Ctrl-C
/// on the terminal is for the grader, and a compiler that it killed would be taken for one that is not here.
fn run(patience: Duration, program: &Path, arguments: &[&str]) -> Result<Output, String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let child = command.spawn().map_err(|error| error.to_string())?;
    let group = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody receives once the patience is at an end.
        let _ = sender.send(child.wait_with_output());
    });
    if let Ok(output) = receiver.recv_timeout(patience) {
        return output.map_err(|error| error.to_string());
    }
    kill(group);
    Err(format!("no answer within {} s", patience.as_secs()))
}

/// Kills a process group that does not end by itself.
///
/// By the shell, which always knows how: std kills only the one process that it started, and what that has
/// started (behind a shim, the compiler itself) would stay.
fn kill(group: u32) {
    let killed = Command::new("/bin/sh")
        .args(["-c", "kill -s KILL -- \"-$1\"", "sh", &group.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // Without a shell the group stays; that the program is broken is reported either way.
    drop(killed);
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

/// What a compiler needs besides the judge's environment for all programs: helpers on `PATH`, and the build
/// folder for whatever it writes.
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
        ("HOME".into(), build.into()),
        ("TMPDIR".into(), build.into()),
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

    /// What a script answers, and what is noted about it where it is broken.
    #[cfg(unix)]
    fn answer(patience: Duration, script: &str) -> (Option<String>, Option<String>) {
        let mut questions = Questions::default();
        let answer = questions.ask_within(patience, Path::new("/bin/sh"), &["-c", script]);
        (answer, questions.broken())
    }

    #[cfg(unix)]
    #[test]
    fn a_compiler_that_does_not_answer_is_broken() {
        let broken = |why: &str| (None, Some(format!("`/bin/sh`: {why}")));
        assert_eq!(
            answer(Duration::ZERO, "while :; do :; done"),
            broken("no answer within 0 s")
        );
        assert_eq!(
            answer(PATIENCE, "kill -s KILL $$"),
            broken("signal: 9 (SIGKILL)")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_compiler_that_fails_is_not_broken() {
        assert_eq!(answer(PATIENCE, "exit 127"), (None, None));
        assert_eq!(
            answer(PATIENCE, "echo b >&2; echo a"),
            (Some("a\nb\n".to_owned()), None)
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_compiler_is_asked_in_a_process_group_of_its_own() {
        // Process, name, state, parent, process group.
        let (answer, _) = answer(PATIENCE, "cut -d' ' -f5 /proc/$$/stat; echo $$");
        let answer = answer.unwrap();
        let (group, process) = answer.trim_end().split_once('\n').unwrap();
        assert_eq!(group, process);
    }

    #[test]
    fn a_build_sets_only_what_the_judge_cannot_know() {
        let toolchain = Toolchain {
            language: grader_model::LanguageId::C,
            programs: vec![PathBuf::from("/opt/gcc/bin/gcc")],
            version: "gcc 12".to_owned(),
            flags: Vec::new(),
            readable: Vec::new(),
        };
        let expected = [
            ("PATH", "/opt/gcc/bin:/usr/local/bin:/usr/bin:/bin"),
            ("HOME", "/build"),
            ("TMPDIR", "/build"),
        ]
        .map(|(name, value)| (name.into(), value.into()));
        assert_eq!(build_environment(&toolchain, Path::new("/build")), expected);
    }
}

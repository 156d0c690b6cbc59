//! Probes: how to get the versions and files of compilers and interpreters, behind links, shims and proxies.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::constants::{MAX_PROBE_TIME, PYPY_NAME};
use crate::definition::{Definition, Probe};

impl Probe {
    /// Probes a program that may be a language's tool; `name` is the tool's name.
    pub(crate) fn ask(
        self,
        candidate: &Path,
        language: &Definition,
        name: &str,
        path: &OsStr,
    ) -> Result<Found, Unusable> {
        match self {
            Self::Version => any(candidate, language, name, path),
            Self::Rustc => rustc(candidate, path),
            Self::Javac => javac(candidate),
            Self::Fpc => fpc(candidate),
            Self::Python => python(candidate),
        }
    }
}

/// A tool that a probe identified.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) programs: Vec<PathBuf>,
    /// Flags that only this installation needs.
    pub(crate) flags: Vec<String>,
    /// Folders that it reads.
    pub(crate) readable: Vec<PathBuf>,
}

/// The reason why a candidate cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// It is not a tool of this kind: a shim without a tool behind it, a version too old for the probe.
    Other,
    /// It failed: it does not support the probe.
    Unwilling,
    /// A program that it requires is not installed.
    Without(String),
    /// It hangs, is killed, or cannot be started.
    Broken(String),
}

/// Probes a tool that prints its version and has its files in the folder above its `bin`.
fn any(
    candidate: &Path,
    language: &Definition,
    name: &str,
    path: &OsStr,
) -> Result<Found, Unusable> {
    let mut arguments: Vec<&str> = language.version.iter().map(String::as_str).collect();
    if arguments.is_empty() {
        arguments.push("--version");
    }
    let banner = match ask(candidate, &arguments) {
        // Many tools (`dash`) have no such option, and their version is not needed.
        Err(Unusable::Unwilling) if language.oldest.is_empty() => String::new(),
        answer => answer?,
    };
    let name = if banner.contains("clang") {
        "clang"
    } else {
        name
    };
    // The real path, unless the tool's behaviour depends on the name it is called by (`clang++`).
    let (real, called) = (real(candidate), candidate.file_name().unwrap_or_default());
    let is_real = real.to_string_lossy().contains(&*called.to_string_lossy());
    let mut programs = vec![if is_real { real } else { candidate.to_owned() }];
    // The program for `run`, if it differs.
    if let (Some(compile), Some(run)) = (language.compile.first(), language.run.first())
        && compile != run
        && !run.contains('{')
    {
        let runner = candidates(path, run).into_iter().next();
        programs.push(runner.ok_or_else(|| Unusable::Without(run.clone()))?);
    }
    Ok(Found {
        name: name.to_owned(),
        version: match version(&banner) {
            Err(_) if language.oldest.is_empty() => String::new(),
            version => version?,
        },
        readable: programs
            .iter()
            .flat_map(|program| [prefix(program), prefix(&self::real(program))])
            .flatten()
            .collect(),
        programs,
        ..Found::default()
    })
}

/// The candidate may be a rustup proxy, which needs its home folder to find the real tool.
fn rustc(candidate: &Path, path: &OsStr) -> Result<Found, Unusable> {
    let sysroot = PathBuf::from(ask(candidate, &["--print", "sysroot"])?.trim());
    let own = sysroot.join("bin/rustc");
    let program = real(if own.is_file() { &own } else { candidate });
    let linker = ["cc", "gcc", "clang"]
        .iter()
        .find_map(|name| candidates(path, name).into_iter().next());
    let linker = linker.ok_or_else(|| Unusable::Without("cc (the linker of rustc)".to_owned()))?;
    let linker = real(&linker);
    Ok(Found {
        name: "rustc".to_owned(),
        version: version(&ask(&program, &["--version"])?)?,
        readable: [sysroot].into_iter().chain(prefix(&linker)).collect(),
        programs: vec![program, linker],
        ..Found::default()
    })
}

/// The candidate may be a link or a shim; the JVM itself knows its home and its version.
fn javac(candidate: &Path) -> Result<Found, Unusable> {
    let real = real(candidate);
    let settings = ["-XshowSettings:properties", "-version"];
    // The JVM beside the compiler has the same settings, and starts in a fifth of the time.
    match ask(&real.with_file_name("java"), &settings).and_then(|answer| jdk(&answer)) {
        Ok(found) if found.programs[0] == real => Ok(found),
        _ => jdk(&ask(
            candidate,
            &["-J-XshowSettings:properties", "-version"],
        )?),
    }
}

/// The JDK whose JVM has these settings.
fn jdk(answer: &str) -> Result<Found, Unusable> {
    let property = |name: &str| {
        let mut lines = answer
            .lines()
            .filter_map(|line| line.trim().strip_prefix(name));
        lines
            .find_map(|value| value.strip_prefix(" = "))
            .ok_or(Unusable::Other)
    };
    let home = real(Path::new(property("java.home")?));
    // Distributions keep the JVM's settings outside the JDK; it does not start without them.
    let settings = [
        "lib/jvm.cfg",
        "conf/logging.properties",
        "conf/security/java.security",
    ];
    let folders = settings
        .iter()
        .filter_map(|file| Some(real(&home.join(file)).parent()?.to_owned()));
    Ok(Found {
        name: "javac".to_owned(),
        version: property("java.version")?.to_owned(),
        programs: vec![home.join("bin/javac"), home.join("bin/java")],
        readable: folders.chain([home.clone()]).collect(),
        ..Found::default()
    })
}

/// `fpc` only selects the compiler for a processor and starts it.
fn fpc(driver: &Path) -> Result<Found, Unusable> {
    let ask = |program: &Path, what: &str| Ok(ask(program, &[what])?.trim().to_owned());
    let program = real(Path::new(&ask(driver, "-PB")?));
    let target = format!("units/{}-{}", ask(driver, "-iTP")?, ask(driver, "-iTO")?);
    let units = program.with_file_name(target);
    if !units.is_dir() {
        return Err(Unusable::Without(units.display().to_string()));
    }
    // If the units are specified, the configuration file in /etc is not needed in the sandbox.
    let mut flags = vec!["-n".to_owned(), format!("-Fu{}/*", units.display())];
    // The folder of `crtbegin.o`, which units based on the C library need (`cmem`, `cthreads`).
    if let Ok(start) = ask(Path::new("/usr/bin/gcc"), "-print-file-name=crtbegin.o")
        && let Some(folder) = real(Path::new(&start))
            .parent()
            .filter(|it| it.is_absolute())
    {
        flags.push(format!("-Fl{}", folder.display()));
    }
    Ok(Found {
        name: "fpc".to_owned(),
        version: ask(driver, "-iV")?,
        readable: prefix(&program).into_iter().chain([units]).collect(),
        programs: vec![program],
        flags,
    })
}

/// Asks a candidate for its interpreter's path. The candidate may be a version manager's shim, or belong to a virtual
/// environment. Programs get the environment's base interpreter with only its standard library, so they need not see
/// the environment's folder.
fn python(candidate: &Path) -> Result<Found, Unusable> {
    const WHERE: &str = "\
import os, platform, sys
base = getattr(sys, 'base_prefix', sys.prefix)
executable = os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable)
if base != sys.prefix and executable.startswith(os.path.realpath(sys.prefix) + os.sep):
    executable = os.path.join(base, 'bin', 'python%d.%d' % sys.version_info[:2])
print(executable)
print(platform.python_version())
print(base)
print(platform.python_implementation())
";
    let answer = ask(candidate, &["-c", WHERE])?;
    let [executable, version, base, ..] = answer.lines().collect::<Vec<_>>()[..] else {
        return Err(Unusable::Other);
    };
    let is_pypy = answer.lines().nth(3) == Some(PYPY_NAME);
    Ok(Found {
        name: if is_pypy { PYPY_NAME } else { "Python" }.to_owned(),
        version: version.to_owned(),
        programs: vec![real(Path::new(executable))],
        readable: vec![PathBuf::from(base)],
        ..Found::default()
    })
}

/// The programs with this name in the folders of `path`, in that order.
pub(crate) fn candidates(path: &OsStr, name: &str) -> Vec<PathBuf> {
    let is_executable = |program: &PathBuf| {
        fs::metadata(program).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    env::split_paths(path)
        .filter(|folder| folder.is_absolute() && !name.is_empty())
        .map(|folder| folder.join(name))
        .filter(is_executable)
        .collect()
}

/// The path with all links resolved; unchanged if that fails.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Output of a probed program: standard output, then standard error.
pub(crate) fn ask(program: &Path, arguments: &[&str]) -> Result<String, Unusable> {
    ask_within(MAX_PROBE_TIME, program, arguments)
}

/// The program is started in `/`, so that no file in the current folder (`rust-toolchain.toml`, `.python-version`)
/// selects a version other than the one used later. It gets its own process group, because Ctrl-C on the terminal is
/// meant for the grader, and a compiler killed by it would seem broken.
fn ask_within(time: Duration, program: &Path, arguments: &[&str]) -> Result<String, Unusable> {
    let broken = |why: String| Unusable::Broken(format!("`{}`: {why}", program.display()));
    let child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| broken(error.to_string()))?;
    let group = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    let wait = move || {
        // After the time limit, nobody receives this.
        let _ = sender.send(child.wait_with_output());
    };
    if let Err(error) = Builder::new().spawn(wait) {
        // As below.
        let _ = kill_process_group(group, Signal::KILL);
        return Err(broken(format!("no thread can be started: {error}")));
    }
    let Ok(output) = receiver.recv_timeout(time) else {
        // Behind a shim, the compiler is another process in the group. Errors are ignored: the group may have ended
        // already.
        let _ = kill_process_group(group, Signal::KILL);
        return Err(broken(format!("no answer within {} s", time.as_secs())));
    };
    let output = output.map_err(|error| broken(error.to_string()))?;
    match output.status.code() {
        Some(0) => {
            Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
        }
        // Shims without a tool behind them exit like shells.
        Some(126 | 127) => Err(Unusable::Other),
        Some(_) => Err(Unusable::Unwilling),
        None => Err(broken(output.status.to_string())),
    }
}

/// The first version number in a text: `12.2.0`.
fn version(text: &str) -> Result<String, Unusable> {
    let start = text
        .find(|c: char| c.is_ascii_digit())
        .ok_or(Unusable::Other)?;
    let version = text[start..]
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .next();
    Ok(version.unwrap_or_default().trim_end_matches('.').to_owned())
}

/// Whether a version is at least as new as another, by their first two numbers.
pub(crate) fn is_at_least(version: &str, oldest: &str) -> bool {
    numbers(version) >= numbers(oldest)
}

/// The leading numbers of a version, for comparison: `[3, 11]` for `3.11.7`.
fn numbers(version: &str) -> [u32; 2] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    [parts.next().unwrap_or(0), parts.next().unwrap_or(0)]
}

/// The folder above a program's `bin`, where its libraries are.
fn prefix(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.parent()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_that_does_not_answer_is_broken() {
        let endless = ["-c", "while :; do :; done"];
        let broken = Unusable::Broken("`/bin/sh`: no answer within 0 s".to_owned());
        assert_eq!(
            ask_within(Duration::ZERO, Path::new("/bin/sh"), &endless),
            Err(broken)
        );
    }

    #[test]
    fn a_compiler_is_asked_in_a_process_group_of_its_own() {
        // Fields: process, name, state, parent, process group.
        let script = ["-c", "cut -d' ' -f5 /proc/$$/stat; echo $$"];
        let answer = ask(Path::new("/bin/sh"), &script).unwrap();
        let (group, process) = answer.trim_end().split_once('\n').unwrap();
        assert_eq!(group, process);
    }

    #[test]
    fn versions_are_read_and_compared_by_their_numbers() {
        assert_eq!(
            version("gcc (Debian 12.2.0-14+deb12u1) 12.2.0").as_deref(),
            Ok("12.2.0")
        );
        assert_eq!(version("none"), Err(Unusable::Other));
        assert!(numbers("3.11.7") > numbers("3.8") && numbers("") == [0, 0]);
    }
}

//! Finding compilers and interpreters on this machine, behind links, shims and proxies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use grader_model::{LanguageId, Text};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::definition::Definition;

/// A compiler or interpreter that was found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The language.
    pub language: LanguageId,
    /// The programs it consists of, by their real paths (behind links, shims and proxies), first the one that compiles.
    pub programs: Vec<PathBuf>,
    /// Name and version: `gcc 12.2.0`.
    pub version: String,
    /// The flags it is called with, the same for every submission.
    pub flags: Vec<String>,
    /// Folders it reads, besides the system's own.
    pub readable: Vec<PathBuf>,
}

/// A toolchain that is not on this machine, or does not work. Never a student's compile error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text().en)]
pub struct NotInstalled {
    /// The program that was looked for.
    pub program: String,
    /// The command that installs it, or the web page of newer versions if what is installed is too old; empty if none is
    /// known.
    pub install: String,
    /// What was found in its place and is broken, and how: it hangs, is killed, or cannot be started.
    pub broken: Option<String>,
}

impl NotInstalled {
    /// What is wrong, with the command that installs it.
    pub fn text(&self) -> Text {
        let Text { en, zh } = self.problem();
        let install = &self.install;
        if self.broken.is_some() || install.is_empty() {
            return Text::new(en, zh);
        }
        if install.starts_with("https:") {
            return Text::new(
                format!("{en} (get it from {install})"),
                format!("{zh}（可从 {install} 获取）"),
            );
        }
        Text::new(
            format!("{en} (try `{install}`)"),
            format!("{zh}（可用 `{install}` 安装）"),
        )
    }

    /// What is wrong.
    pub fn problem(&self) -> Text {
        let program = &self.program;
        match &self.broken {
            None => Text::new(
                format!("not installed: {program}"),
                format!("评测机上没有安装 {program}"),
            ),
            Some(broken) => Text::new(
                format!("{program} is here but broken: {broken}"),
                format!("评测机上的 {program} 无法使用：{broken}"),
            ),
        }
    }
}

/// Looks for the tools of a language in the folders of `path`.
pub(crate) fn find(
    id: LanguageId,
    language: &Definition,
    path: &OsStr,
) -> Result<Toolchain, NotInstalled> {
    let command = if language.compile.is_empty() {
        &language.run
    } else {
        &language.compile
    };
    let word = command.first().map_or("", String::as_str);
    let tools = match &language.tools[..] {
        [] => &[word.to_owned()],
        tools => tools,
    };
    let mut program = tools[0].clone();
    let mut broken = None;
    let mut is_too_old = false;
    for candidate in tools.iter().flat_map(|tool| candidates(path, tool)) {
        let found = match word {
            "rustc" => rustc(&candidate, path),
            "javac" => javac(&candidate),
            "fpc" => fpc(&candidate),
            "python3" => python(&candidate),
            _ => any(&candidate, language, &tools[0], path),
        };
        match found {
            // Clang counts in another way.
            Ok(found)
                if found.name == "clang"
                    || numbers(&found.version) >= numbers(&language.oldest) =>
            {
                return Ok(Toolchain {
                    language: id,
                    programs: found.programs,
                    version: format!("{} {}", found.name, found.version)
                        .trim_end()
                        .to_owned(),
                    flags: [&language.flags[..], &found.flags].concat(),
                    readable: outside_system(found.readable),
                });
            }
            Ok(found) => {
                is_too_old = true;
                program = format!(
                    "{} {} or newer, found {}",
                    tools[0], language.oldest, found.version
                );
            }
            Err(Unusable::Other | Unusable::Unwilling) => {}
            Err(Unusable::Without(part)) => {
                is_too_old = false;
                program = part;
            }
            Err(Unusable::Broken(why)) => {
                broken.get_or_insert(why);
            }
        }
    }
    let install = match language.package.as_str() {
        // The package is what is too old.
        _ if is_too_old && !language.download.is_empty() => language.download.clone(),
        "" => String::new(),
        package => format!("apt-get install {package}"),
    };
    Err(NotInstalled {
        program,
        install,
        broken,
    })
}

/// What a candidate is.
#[derive(Default)]
struct Found {
    name: String,
    version: String,
    programs: Vec<PathBuf>,
    /// Flags that only this installation needs.
    flags: Vec<String>,
    /// Folders it reads.
    readable: Vec<PathBuf>,
}

/// Why a candidate cannot be used.
#[derive(Debug, PartialEq, Eq)]
enum Unusable {
    /// It is not a tool of this kind: a shim in front of nothing, a version too old for the question.
    Other,
    /// It ended with an error: it does not know the question.
    Unwilling,
    /// Another program that it needs is not here.
    Without(String),
    /// It hangs, is killed, or cannot be started.
    Broken(String),
}

/// A tool that prints its version and has its files in the folder above its `bin`.
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
        // Many tools (`dash`) know no such option, and nobody needs their version.
        Err(Unusable::Unwilling) if language.oldest.is_empty() => String::new(),
        answer => answer?,
    };
    let name = if banner.contains("clang") {
        "clang"
    } else {
        name
    };
    // The real path, unless the tool acts by the name under which it is called (`clang++`).
    let (real, called) = (real(candidate), candidate.file_name().unwrap_or_default());
    let is_real = real.to_string_lossy().contains(&*called.to_string_lossy());
    let mut programs = vec![if is_real { real } else { candidate.to_owned() }];
    // The program that runs, if it is another one.
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

/// The candidate may be a link or a shim; the Java machine itself knows its home and its version.
fn javac(candidate: &Path) -> Result<Found, Unusable> {
    let answer = ask(candidate, &["-J-XshowSettings:properties", "-version"])?;
    let property = |name: &str| {
        let mut lines = answer
            .lines()
            .filter_map(|line| line.trim().strip_prefix(name));
        lines
            .find_map(|value| value.strip_prefix(" = "))
            .ok_or(Unusable::Other)
    };
    let home = real(Path::new(property("java.home")?));
    // A distribution keeps the machine's settings outside the JDK; without them it does not start.
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

/// `fpc` only chooses the compiler for a processor and starts it.
fn fpc(driver: &Path) -> Result<Found, Unusable> {
    let ask = |program: &Path, what: &str| Ok(ask(program, &[what])?.trim().to_owned());
    let program = real(Path::new(&ask(driver, "-PB")?));
    let target = format!("units/{}-{}", ask(driver, "-iTP")?, ask(driver, "-iTO")?);
    let units = program.with_file_name(target);
    if !units.is_dir() {
        return Err(Unusable::Without(units.display().to_string()));
    }
    // With the units named, the configuration file in /etc is not needed, and a sandbox need not show it.
    let mut flags = vec!["-n".to_owned(), format!("-Fu{}/*", units.display())];
    // The folder of `crtbegin.o`, which units that use the C library need (`cmem`, `cthreads`).
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

/// Asks a candidate where its interpreter is. The candidate may be a shim of a version manager, or belong to a virtual
/// environment. Programs get the interpreter that an environment was made from, and only its standard library: so it
/// does not matter whether they can see the folder of the environment.
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
";
    let answer = ask(candidate, &["-c", WHERE])?;
    let [executable, version, base, ..] = answer.lines().collect::<Vec<_>>()[..] else {
        return Err(Unusable::Other);
    };
    Ok(Found {
        name: "Python".to_owned(),
        version: version.to_owned(),
        programs: vec![real(Path::new(executable))],
        readable: vec![PathBuf::from(base)],
        ..Found::default()
    })
}

/// Folders that every sandbox shows to a program, and that a toolchain therefore need not name.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// Where compilers look for their helpers (`as`, `ld`).
const HELPERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// The programs of this name in the folders of `path`, in its order.
fn candidates(path: &OsStr, name: &str) -> Vec<PathBuf> {
    let is_executable = |program: &PathBuf| {
        fs::metadata(program).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    env::split_paths(path)
        .filter(|folder| folder.is_absolute() && !name.is_empty())
        .map(|folder| folder.join(name))
        .filter(is_executable)
        .collect()
}

/// The path behind all links; the path itself if it cannot be resolved.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Time that a program may take to print its version; one that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a program prints about itself: its standard output and then its standard error.
fn ask(program: &Path, arguments: &[&str]) -> Result<String, Unusable> {
    ask_within(PATIENCE, program, arguments)
}

/// The program is started in `/`, so that no file of the current folder (`rust-toolchain.toml`, `.python-version`)
/// chooses another version than the one that is used later; and in a process group of its own, because Ctrl-C on the
/// terminal is for the grader, and a compiler that it killed would be taken for a broken one.
fn ask_within(patience: Duration, program: &Path, arguments: &[&str]) -> Result<String, Unusable> {
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
    thread::spawn(move || {
        // Nobody receives once the patience is at an end.
        let _ = sender.send(child.wait_with_output());
    });
    let Ok(output) = receiver.recv_timeout(patience) else {
        // Behind a shim, the compiler itself is another process of the group. One that is gone already needs no signal.
        let _ = kill_process_group(group, Signal::KILL);
        return Err(broken(format!("no answer within {} s", patience.as_secs())));
    };
    let output = output.map_err(|error| broken(error.to_string()))?;
    match output.status.code() {
        Some(0) => {
            Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
        }
        // What shims in front of nothing end with, like shells.
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

/// The leading numbers of a version, for comparison: `[3, 11]` of `3.11.7`.
fn numbers(version: &str) -> [u32; 2] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    [parts.next().unwrap_or(0), parts.next().unwrap_or(0)]
}

/// Those of the folders that lie outside the system's own.
fn outside_system(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut outside = folders;
    outside.retain(|folder| {
        folder.parent().is_some() && !SYSTEM.iter().any(|system| folder.starts_with(system))
    });
    // A folder comes before what lies in it.
    outside.sort();
    outside.dedup_by(|inner, outer| inner.starts_with(outer));
    outside
}

/// The folder above a program's `bin`, where its libraries are.
fn prefix(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.parent()?.to_owned())
}

/// What a compiler needs besides the judge's environment for all programs: helpers on `PATH`, and the build folder for
/// whatever it writes.
pub(crate) fn build_environment(toolchain: &Toolchain, build: &Path) -> Vec<(OsString, OsString)> {
    let own = toolchain
        .programs
        .iter()
        .filter_map(|program| program.parent());
    let folders = own.chain(HELPERS.iter().map(Path::new));
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
    use crate::language;

    /// What is missing if a language is looked for in this folder.
    fn missing(id: LanguageId, path: &Path) -> String {
        find(id, language(id), path.as_os_str())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        for language in LanguageId::ALL.map(language) {
            let tool = language.tools.first().unwrap_or(&language.compile[0]);
            let expected = format!(
                "not installed: {tool} (try `apt-get install {}`)",
                language.package
            );
            assert_eq!(missing(language.id, Path::new("/nowhere")), expected);
        }
    }

    #[test]
    fn a_compiler_that_is_too_old_or_broken_is_named_as_such() {
        #[rustfmt::skip]
        let table = [
            (LanguageId::Java, "javac", "printf '    java.home = /usr\n    java.version = 11.0.2\n' >&2",
             "not installed: javac 17 or newer, found 11.0.2 (try `apt-get install openjdk-17-jdk-headless`)"),
            (LanguageId::Python, "python", "printf '/usr/bin/python\n2.7.18\n/usr\n'",
             "not installed: python3 3.8 or newer, found 2.7.18 (get it from https://www.python.org/downloads/)"),
            (LanguageId::Go, "go", "echo go version go1.15.15 linux/amd64",
             "not installed: go 1.18 or newer, found 1.15.15 (get it from https://go.dev/dl/)"),
            (LanguageId::JavaScript, "node", "echo v12.22.12",
             "not installed: node 16 or newer, found 12.22.12 (get it from https://nodejs.org/en/download)"),
            (LanguageId::C, "gcc", "exit 127", "not installed: gcc (try "),
            (LanguageId::C, "gcc", "kill -s KILL $$", "gcc is here but broken: `FOLDER/gcc`: signal: 9 (SIGKILL)"),
        ];
        for (id, name, script, expected) in table {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join(name);
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let found = missing(id, folder.path());
            let expected = expected.replace("FOLDER", &folder.path().display().to_string());
            assert!(found.starts_with(&expected), "{found}");
        }
    }

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
        // Process, name, state, parent, process group.
        let script = ["-c", "cut -d' ' -f5 /proc/$$/stat; echo $$"];
        let answer = ask(Path::new("/bin/sh"), &script).unwrap();
        let (group, process) = answer.trim_end().split_once('\n').unwrap();
        assert_eq!(group, process);
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
        let outside = outside_system(folders.map(PathBuf::from).to_vec());
        assert_eq!(
            outside,
            [PathBuf::from("/etc/java-17"), PathBuf::from("/opt/gcc")]
        );
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

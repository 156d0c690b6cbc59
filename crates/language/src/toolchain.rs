//! Finding compilers and interpreters on this machine, behind links, shims and proxies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use grader_model::{LanguageId, Text};

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
#[error("{}", self.describe())]
pub struct NotInstalled {
    /// The language.
    pub language: LanguageId,
    /// The program that was looked for.
    pub program: String,
    /// How to install it.
    pub install: String,
    /// What was found in its place and is broken, and how: it hangs, is killed, or cannot be started.
    pub broken: Option<String>,
}

impl NotInstalled {
    fn describe(&self) -> String {
        let Self {
            language, program, ..
        } = self;
        match &self.broken {
            None => format!("not installed: {program} ({language})"),
            Some(broken) => format!("broken: {program} ({language}): {broken}"),
        }
    }

    /// The same for people, with the way out.
    pub fn text(&self) -> Text {
        let Self {
            program, install, ..
        } = self;
        match &self.broken {
            None => Text::new(
                format!("not installed: {program} (try `{install}`)"),
                format!("评测机上没有安装 {program}（可用 `{install}` 安装）"),
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
    language: LanguageId,
    definition: &Definition,
    path: &OsStr,
) -> Result<Toolchain, NotInstalled> {
    let command = definition.compile.as_ref().or(definition.run.as_ref());
    let word = command.and_then(|command| command.first());
    let word = word.map_or("", String::as_str);
    let own = [word.to_owned()];
    let tools = definition.tools.as_deref().unwrap_or(&own);
    let mut missing = tools.first().map_or(word, String::as_str).to_owned();
    let mut questions = Questions::default();
    for tool in tools {
        for candidate in candidates(path, tool) {
            let answer = match word {
                "rustc" => rustc(&mut questions, &candidate, path),
                "javac" => javac(&mut questions, &candidate),
                "fpc" => fpc(&mut questions, &candidate),
                "python3" => python(&mut questions, &candidate),
                _ => any(&mut questions, &candidate, &tools[0], definition, path),
            };
            let found = match answer {
                Ok(found) => found,
                Err(None) => continue,
                Err(Some(program)) => {
                    missing = program;
                    continue;
                }
            };
            let (name, version) = found
                .version
                .rsplit_once(' ')
                .unwrap_or(("", &found.version));
            let oldest = definition.oldest.as_deref();
            // Clang counts in another way.
            if let Some(oldest) =
                oldest.filter(|&it| numbers(version) < numbers(it) && name != "clang")
            {
                missing = format!("{} {oldest} or newer, found {version}", tools[0]);
                continue;
            }
            let mut flags = definition.flags.clone().unwrap_or_default();
            flags.extend(found.flags);
            return Ok(Toolchain {
                language,
                programs: found.programs,
                readable: outside_system(found.readable),
                version: found.version,
                flags,
            });
        }
    }
    Err(NotInstalled {
        language,
        install: match &definition.package {
            Some(package) => format!("apt-get install {package}"),
            None => format!("the instructions of {missing}"),
        },
        program: missing,
        broken: questions.broken,
    })
}

/// What a candidate is.
struct Found {
    programs: Vec<PathBuf>,
    /// Name and version.
    version: String,
    /// Flags that only this installation needs.
    flags: Vec<String>,
    /// Folders it reads.
    readable: Vec<PathBuf>,
}

/// `None` if it is not a working tool of this kind; the name of what is missing if it is.
type Answer = Result<Found, Option<String>>;

/// A tool that says its version and brings its files in the folder above its `bin`.
fn any(
    questions: &mut Questions,
    program: &Path,
    name: &str,
    definition: &Definition,
    path: &OsStr,
) -> Answer {
    let arguments = definition
        .version
        .clone()
        .unwrap_or_else(|| vec!["--version".to_owned()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let banner = questions.ask(program, &arguments).ok_or(None)?;
    let version = version(&banner).ok_or(None)?;
    let name = if banner.contains("clang") {
        "clang"
    } else {
        name
    };
    // The real path, unless the tool acts by the name under which it is called (`clang++`).
    let real = real(program);
    let file = real.file_name().unwrap_or_default().to_string_lossy();
    let program = if file.contains(name) {
        real.clone()
    } else {
        program.to_owned()
    };
    let mut readable: Vec<PathBuf> = prefix(&program).into_iter().collect();
    let mut programs = vec![program];
    // The program that runs, if it is another one.
    let first = |command: &Option<Vec<String>>| command.as_ref()?.first().cloned();
    if let (Some(compile), Some(run)) = (first(&definition.compile), first(&definition.run))
        && compile != run
        && !run.contains('{')
    {
        let runner = candidates(path, &run).into_iter().next().ok_or(Some(run))?;
        readable.extend(prefix(&self::real(&runner)));
        programs.push(runner);
    }
    Ok(Found {
        version: format!("{name} {version}"),
        flags: Vec::new(),
        programs,
        readable,
    })
}

/// The candidate may be a proxy of rustup, which needs its own home to know what it stands for.
fn rustc(questions: &mut Questions, candidate: &Path, path: &OsStr) -> Answer {
    let sysroot = questions
        .ask(candidate, &["--print", "sysroot"])
        .ok_or(None)?;
    let sysroot = PathBuf::from(sysroot.lines().next().unwrap_or_default());
    let own = sysroot.join("bin").join("rustc");
    let program = real(if own.is_file() { &own } else { candidate });
    let banner = questions.ask(&program, &["--version"]).ok_or(None)?;
    let version = version(&banner).ok_or(None)?;
    let mut linkers = ["cc", "gcc", "clang"]
        .iter()
        .flat_map(|name| candidates(path, name));
    let linker = linkers
        .next()
        .ok_or_else(|| Some("cc (the linker of rustc)".to_owned()))?;
    let linker = real(&linker);
    Ok(Found {
        version: format!("rustc {version}"),
        flags: Vec::new(),
        readable: [sysroot].into_iter().chain(prefix(&linker)).collect(),
        programs: vec![program, linker],
    })
}

/// The candidate may be a link or a shim; the Java machine itself knows its home and its version.
fn javac(questions: &mut Questions, candidate: &Path) -> Answer {
    let Some(answer) = questions.ask(candidate, &["-J-XshowSettings:properties", "-version"])
    else {
        if questions.broken.is_some() {
            return Err(None);
        }
        // Before Java 9 this option is not understood.
        let old = questions.ask(candidate, &["-version"]).ok_or(None)?;
        let version = version(&old).unwrap_or("an unknown version");
        return Err(Some(format!("javac 17 or newer, found {version}")));
    };
    let property = |name| {
        answer.lines().find_map(|line| {
            let value = line.trim_start().strip_prefix(name)?.trim_start();
            Some(value.strip_prefix('=')?.trim())
        })
    };
    let home = real(Path::new(property("java.home").ok_or(None)?));
    let version = property("java.version").ok_or(None)?;
    let programs = vec![home.join("bin/javac"), home.join("bin/java")];
    if let Some(absent) = programs.iter().find(|program| !program.is_file()) {
        return Err(Some(absent.display().to_string()));
    }
    // A distribution keeps the machine's settings outside the JDK; without them it does not start.
    let settings = [
        "lib/jvm.cfg",
        "conf/logging.properties",
        "conf/security/java.security",
    ]
    .iter()
    .filter_map(|file| fs::canonicalize(home.join(file)).ok())
    .filter(|file| !file.starts_with(&home))
    .filter_map(|file| file.parent().map(Path::to_owned));
    Ok(Found {
        version: format!("javac {version}"),
        flags: Vec::new(),
        readable: settings.chain([home.clone()]).collect(),
        programs,
    })
}

/// `fpc` only chooses the compiler for a processor and starts it.
fn fpc(questions: &mut Questions, driver: &Path) -> Answer {
    let mut ask =
        |program: &Path, what: &str| Some(questions.ask(program, &[what])?.trim().to_owned());
    let version = ask(driver, "-iV").ok_or(None)?;
    let compiler = ask(driver, "-PB")
        .map(|answer| real(Path::new(&answer)))
        .filter(|compiler| compiler.is_absolute() && compiler.is_file());
    let program = compiler.clone().unwrap_or_else(|| real(driver));
    let units = compiler.and_then(|compiler| {
        let target = format!("{}-{}", ask(driver, "-iTP")?, ask(driver, "-iTO")?);
        let folder = compiler.parent()?.join("units").join(target);
        folder.is_dir().then_some(folder)
    });
    let mut flags = Vec::new();
    let mut readable: Vec<PathBuf> = prefix(&program).into_iter().collect();
    match units {
        // With the units named, the configuration file in /etc is not needed, and a sandbox need not show it.
        Some(units) => {
            flags.extend(["-n".to_owned(), format!("-Fu{}/*", units.display())]);
            readable.push(units);
            // The folder of `crtbegin.o`, which units that use the C library need (`cmem`, `cthreads`).
            let start = ask(Path::new("/usr/bin/gcc"), "-print-file-name=crtbegin.o");
            let start = start.map(|answer| real(Path::new(&answer)));
            let folder = start
                .as_deref()
                .filter(|file| file.is_absolute())
                .and_then(Path::parent);
            flags.extend(folder.map(|folder| format!("-Fl{}", folder.display())));
        }
        None => readable.push(PathBuf::from("/etc")),
    }
    Ok(Found {
        programs: vec![program],
        version: format!("fpc {version}"),
        flags,
        readable,
    })
}

/// Asks a candidate where its interpreter is. The candidate may be a shim of a version manager, or belong to a virtual
/// environment. Programs get the interpreter that an environment was made from, and only its standard library: so it
/// does not matter whether they can see the folder of the environment.
fn python(questions: &mut Questions, candidate: &Path) -> Answer {
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
    let answer = questions.ask(candidate, &["-c", WHERE]).ok_or(None)?;
    let lines: Vec<&str> = answer.lines().collect();
    let [executable, version, base, ..] = lines[..] else {
        return Err(None);
    };
    Ok(Found {
        programs: vec![real(Path::new(executable))],
        version: format!("Python {version}"),
        flags: Vec::new(),
        readable: vec![PathBuf::from(base)],
    })
}

/// Folders that every sandbox shows to a program, and that a toolchain therefore need not name.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// Where compilers look for their helpers (`as`, `ld`).
const HELPERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Programs that stand in front of a compiler under the compiler's name and are useless under their own.
const WRAPPERS: [&str; 4] = ["ccache", "distcc", "sccache", "icecc"];

/// The programs of this name in the folders of `path`, in its order.
fn candidates(path: &OsStr, name: &str) -> Vec<PathBuf> {
    let is_executable = |program: &PathBuf| {
        fs::metadata(program).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    let is_wrapper = |program: &PathBuf| {
        let real = real(program);
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        WRAPPERS.iter().any(|wrapper| name.contains(wrapper))
    };
    env::split_paths(path)
        .filter(|folder| folder.is_absolute() && !name.is_empty())
        .map(|folder| folder.join(name))
        .filter(|program| is_executable(program) && !is_wrapper(program))
        .collect()
}

/// The path behind all links; the path itself if it cannot be resolved.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// So long a program may take to say its version; one that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks programs about themselves, and remembers the first that is broken.
#[derive(Debug, Default)]
struct Questions {
    broken: Option<String>,
}

impl Questions {
    /// What a program says about itself: its standard output and then its standard error; `None` if it fails.
    fn ask(&mut self, program: &Path, arguments: &[&str]) -> Option<String> {
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
        let why: Box<dyn Display> = match run(patience, program, arguments) {
            Ok(output) if output.status.success() => {
                let all = [output.stdout, output.stderr].concat();
                return Some(String::from_utf8_lossy(&all).into_owned());
            }
            Ok(output) if output.status.code().is_some() => return None,
            Ok(output) => Box::new(output.status),
            Err(why) => Box::new(why),
        };
        self.broken
            .get_or_insert_with(|| format!("`{}`: {why}", program.display()));
        None
    }
}

/// Runs a program to its end.
///
/// It is started in `/`, so that no file of the current folder (`rust-toolchain.toml`, `.python-version`) chooses another
/// version than the one that is used later; and in a process group of its own, because Ctrl-C on the terminal is for the
/// grader, and a compiler that it killed would be taken for one that is not here.
fn run(patience: Duration, program: &Path, arguments: &[&str]) -> Result<Output, String> {
    let child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| error.to_string())?;
    let group = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody receives once the patience is at an end.
        let _ = sender.send(child.wait_with_output());
    });
    if let Ok(output) = receiver.recv_timeout(patience) {
        return output.map_err(|error| error.to_string());
    }
    // By the shell, because std kills only the one process that it started, and what that has started (behind a shim,
    // the compiler itself) would stay. Without a shell the group stays; that the program is broken is reported anyway.
    let kill = [
        "-c",
        "kill -s KILL -- \"-$1\" 2>/dev/null",
        "sh",
        &group.to_string(),
    ];
    drop(
        Command::new("/bin/sh")
            .args(kill)
            .stdin(Stdio::null())
            .status(),
    );
    Err(format!("no answer within {} s", patience.as_secs()))
}

/// The first version number in a text: `12.2.0`.
fn version(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
    Some(rest[..end.unwrap_or(rest.len())].trim_end_matches('.'))
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
    let mut folders: Vec<&Path> = Vec::new();
    let own = toolchain
        .programs
        .iter()
        .filter_map(|program| program.parent());
    for folder in own.chain(HELPERS.iter().map(Path::new)) {
        if !folders.contains(&folder) {
            folders.push(folder);
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
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::language;

    fn find_in(id: LanguageId, path: &Path) -> String {
        let found = find(id, &language(id).definition, path.as_os_str());
        let missing = found.unwrap_err();
        format!("{missing}; {}", missing.install)
    }

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        let table = [
            (LanguageId::C, "gcc (c); apt-get install gcc libc6-dev"),
            (LanguageId::Cpp, "g++ (cpp); apt-get install g++"),
            (LanguageId::Rust, "rustc (rust); apt-get install rustc"),
            (
                LanguageId::Java,
                "javac (java); apt-get install openjdk-17-jdk-headless",
            ),
            (
                LanguageId::Pascal,
                "fpc (pascal); apt-get install fp-compiler fp-units-base fp-units-fcl",
            ),
            (
                LanguageId::Python,
                "python3 (python); apt-get install python3",
            ),
            (LanguageId::Go, "go (go); apt-get install golang-go"),
            (
                LanguageId::JavaScript,
                "node (javascript); apt-get install nodejs",
            ),
        ];
        for (id, expected) in table {
            assert_eq!(
                find_in(id, Path::new("/nowhere")),
                format!("not installed: {expected}")
            );
        }
    }

    #[test]
    fn a_compiler_that_is_too_old_or_broken_is_named_as_such() {
        let table = [
            (
                LanguageId::Java,
                "javac",
                "printf '    java.home = /usr\\n    java.version = 11.0.2\\n' >&2",
                "not installed: javac 17 or newer, found 11.0.2 (java)",
            ),
            (
                LanguageId::Python,
                "python",
                "printf '/usr/bin/python\\n2.7.18\\n/usr\\n'",
                "not installed: python3 3.8 or newer, found 2.7.18 (python)",
            ),
            (LanguageId::C, "gcc", "exit 127", "not installed: gcc (c)"),
            (
                LanguageId::C,
                "gcc",
                "kill -s KILL $$",
                "broken: gcc (c): `FOLDER/gcc`: signal: 9 (SIGKILL)",
            ),
        ];
        for (id, name, script, expected) in table {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join(name);
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let found = find_in(id, folder.path());
            let folder = folder.path().display().to_string();
            assert!(
                found.starts_with(&expected.replace("FOLDER", &folder)),
                "{found}"
            );
        }
    }

    #[test]
    fn a_compiler_that_does_not_answer_is_broken_and_a_cache_is_no_compiler() {
        let mut questions = Questions::default();
        let endless = ["-c", "while :; do :; done"];
        assert_eq!(
            questions.ask_within(Duration::ZERO, Path::new("/bin/sh"), &endless),
            None
        );
        assert_eq!(
            questions.broken.as_deref(),
            Some("`/bin/sh`: no answer within 0 s")
        );

        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("ccache");
        fs::write(&cache, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&cache, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(&cache, folder.path().join("gcc")).unwrap();
        assert_eq!(
            candidates(folder.path().as_os_str(), "gcc"),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn a_compiler_is_asked_in_a_process_group_of_its_own() {
        let mut questions = Questions::default();
        // Process, name, state, parent, process group.
        let script = ["-c", "cut -d' ' -f5 /proc/$$/stat; echo $$"];
        let answer = questions.ask(Path::new("/bin/sh"), &script).unwrap();
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
        assert_eq!(
            outside_system(folders.map(PathBuf::from).to_vec()),
            [PathBuf::from("/etc/java-17"), PathBuf::from("/opt/gcc")]
        );
        assert_eq!(
            version("gcc (Debian 12.2.0-14+deb12u1) 12.2.0"),
            Some("12.2.0")
        );
        assert_eq!(numbers("3.11.7"), [3, 11]);
    }
}

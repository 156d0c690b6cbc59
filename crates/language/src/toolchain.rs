//! Compilers and interpreters on this machine.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use grader_model::{Text, text};

use crate::constants::PYPY;
use crate::definition::Definition;
use crate::probe::{Unusable, candidates, is_at_least};

/// Tools whose Debian package has their name.
pub(crate) const PACKAGES: [&str; 8] = [
    "bison", "cmake", "flex", "g++", "gcc", "make", "meson", PYPY,
];

/// A compiler or interpreter that was found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// Its programs, by their real paths (behind links, shims and proxies), the compiler first.
    pub programs: Vec<PathBuf>,
    /// Name and version: `gcc 12.2.0`.
    pub version: String,
    /// The flags it is called with, the same for every submission.
    pub flags: Vec<String>,
    /// Folders that it reads, besides the system's own.
    pub readable: Vec<PathBuf>,
}

/// A toolchain is not installed on this machine, or does not work. Never a student's compile error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text().en)]
pub struct NotInstalled {
    /// The missing program.
    pub program: String,
    /// The command that installs it, or the web page of newer versions if the installed one is too old; empty if
    /// neither is known.
    pub install: String,
    /// The defect, if it is installed but broken: it hangs, is killed, or cannot be started.
    pub broken: Option<String>,
}

impl NotInstalled {
    /// The problem, with the installation command.
    pub fn text(&self) -> Text {
        let problem = self.problem();
        let install = &self.install;
        if self.broken.is_some() || install.is_empty() {
            return problem;
        }
        if install.starts_with("https:") {
            return text!(
                "{problem} (get it from {install})",
                "{problem}（可从 {install} 获取）",
                problem
            );
        }
        text!(
            "{problem} (try `{install}`)",
            "{problem}（可用 `{install}` 安装）",
            problem
        )
    }

    /// The problem.
    pub fn problem(&self) -> Text {
        let program = &self.program;
        match &self.broken {
            None => text!("not installed: {program}", "评测机上没有安装 {program}"),
            Some(broken) => text!(
                "{program} is installed but broken: {broken}",
                "评测机上的 {program} 无法使用：{broken}"
            ),
        }
    }
}

/// Looks for a tool of builds, such as `make`.
///
/// # Errors
/// If it is not installed or does not work.
pub fn find_tool(name: &str) -> Result<Toolchain, NotInstalled> {
    find(&tool(name), &env::var_os("PATH").unwrap_or_default())
}

/// Looks for the tools of a language in the folders of `path`; those of a problem's own command are the last ones.
pub(crate) fn find(language: &Definition, path: &OsStr) -> Result<Toolchain, NotInstalled> {
    let mut found = find_own(language, path)?;
    if let Some(build) = &language.build {
        for name in build.tools() {
            let tool = find_own(&tool(name), path)?;
            if tool.version != name {
                found.version = format!("{}, {}", found.version, tool.version);
            }
            found.programs.extend(tool.programs);
            found.readable.extend(tool.readable);
        }
    }
    Ok(found)
}

fn find_own(language: &Definition, path: &OsStr) -> Result<Toolchain, NotInstalled> {
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
        match language.probe.ask(&candidate, language, &tools[0], path) {
            // Clang has a different version numbering.
            Ok(found) if found.name == "clang" || is_at_least(&found.version, &language.oldest) => {
                return Ok(Toolchain {
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
        // The package itself is too old.
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

/// Folders visible in every sandbox, which a toolchain need not name.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// Folders in which compilers look for their helpers (`as`, `ld`).
pub(crate) const HELPERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// The folders outside the system's own.
fn outside_system(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut outside = folders;
    outside.retain(|folder| {
        folder.parent().is_some() && !SYSTEM.iter().any(|system| folder.starts_with(system))
    });
    // A folder comes before its contents.
    outside.sort();
    outside.dedup_by(|inner, outer| inner.starts_with(outer));
    outside
}

/// A compiler's environment, added to the judge's environment for all programs: helpers on `PATH`, and the build folder
/// for its files.
pub(crate) fn build_environment(toolchain: &Toolchain, build: &Path) -> Vec<(OsString, OsString)> {
    let own = toolchain
        .programs
        .iter()
        .filter_map(|program| program.parent());
    let folders = own.chain(HELPERS.iter().map(Path::new));
    // Only a folder name with a colon cannot be joined; then the helpers must suffice.
    let path = env::join_paths(folders).unwrap_or_else(|_| HELPERS.join(":").into());
    vec![
        ("PATH".into(), path),
        ("HOME".into(), build.into()),
        ("TMPDIR".into(), build.into()),
    ]
}

/// How a tool is looked for.
pub(crate) fn tool(name: &str) -> Definition {
    let package = PACKAGES.iter().find(|it| **it == name);
    Definition {
        compile: vec![name.to_owned()],
        package: package.map(ToString::to_string).unwrap_or_default(),
        ..Definition::default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::language::{Languages, built_in};
    use grader_model::LanguageId;

    /// The error if a language's tools are searched for in this folder.
    fn missing(id: LanguageId, path: &Path) -> String {
        find(&built_in(id).definition, path.as_os_str())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        for language in Languages::built_in().iter() {
            let Definition {
                tools,
                compile,
                package,
                ..
            } = &language.definition;
            let tool = tools.first().unwrap_or(&compile[0]);
            let expected = format!("not installed: {tool} (try `apt-get install {package}`)");
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
            (LanguageId::C, "gcc", "kill -s KILL $$", "gcc is installed but broken: `FOLDER/gcc`: signal: 9 (SIGKILL)"),
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
    fn pypy_is_a_python_with_a_name_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("pypy3");
        let script = "#!/bin/sh\nprintf '/usr/bin/pypy3\n3.9.16\n/usr\nPyPy\n'\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let tools = ["pypy3", "python3"].map(str::to_owned).to_vec();
        let tools = [(LanguageId::Python, tools)].into_iter().collect();
        let languages = Languages::built_in().with_tools(&tools);
        let python = languages.get(LanguageId::Python).unwrap();
        let found = find(&python.definition, folder.path().as_os_str());
        assert_eq!(found.unwrap().version, "PyPy 3.9.16");
        let missing = find(&python.definition, OsStr::new("/nowhere")).unwrap_err();
        let expected = "not installed: pypy3 (try `apt-get install pypy3`)";
        assert_eq!(missing.to_string(), expected);
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
}

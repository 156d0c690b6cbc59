//! What the judge asks of a language.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::{OpenedFiles, PlanPath};

/// A compiler or interpreter that was found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The language.
    pub language: LanguageId,
    /// The programs it consists of, by their real paths (behind links, shims and proxies), first the compiler.
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
    /// The command that installs it on Debian.
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

/// One command, with its own environment on top of the judge's for all programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Environment variables.
    pub environment: Vec<(OsString, OsString)>,
}

/// How a submission is built and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The files to write into the build folder before the first step. A [`PlanPath`] stays in that folder and
    /// fits a file system; no path is there twice, and none is a folder of another.
    pub files: Vec<(PlanPath, Vec<u8>)>,
    /// The commands that build it, one after the other, each started in the build folder.
    pub steps: Vec<Command>,
    /// What the run command needs to know (the class with `main`, the script): for [`Language::command`].
    pub entry: String,
    /// Advice that is known already: no `main`, a header that is not here.
    pub hints: Vec<Text>,
}

/// A programming language.
pub trait Language: Send + Sync {
    /// Its word.
    fn id(&self) -> LanguageId;

    /// Looks for the compiler on this machine and asks it for its version.
    ///
    /// # Errors
    /// When it is not installed.
    fn find(&self) -> Result<Toolchain, NotInstalled>;

    /// How to build `sources` in the folder `build` (absolute, empty).
    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan;

    /// The command that runs what [`Language::plan`] built, with so much memory.
    fn command(&self, plan: &Plan, toolchain: &Toolchain, build: &Path, memory: Bytes) -> Command;

    /// Memory that the language's own machinery takes on top of the program's limit (the Java machine).
    fn overhead(&self) -> Bytes {
        Bytes(0)
    }

    /// Threads that the language's own machinery has besides the program's, on top of a limit of processes.
    fn threads(&self) -> u32 {
        0
    }

    /// Whether its machinery reserves far more address space than the memory it uses (the Java machine).
    fn reserves_memory(&self) -> bool {
        false
    }

    /// Likely causes of a failed build, in words, from the compiler's messages.
    fn explain_build(&self, messages: &[u8], sources: &[SourceFile]) -> Vec<Text>;

    /// Likely causes of a failed run, in words, from its standard error: an exception, a missing module.
    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text>;

    /// Whether a failed run ran out of memory by its own account (`OutOfMemoryError`, `MemoryError`).
    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool;

    /// A file that a failed run opened and did not find, as far as its standard error tells; where that tells nothing
    /// (C), as far as the source does.
    fn missing_file(&self, stderr: &[u8], sources: &[SourceFile]) -> Option<String>;

    /// Files that the sources open by name; empty for languages whose error messages name the file.
    fn opened_files(&self, _sources: &[SourceFile]) -> OpenedFiles {
        OpenedFiles::default()
    }

    /// Whether the sources read standard input, as far as their words tell, comments and strings left out.
    fn reads_stdin(&self, sources: &[SourceFile]) -> bool;

    /// Whether the sources read their command-line arguments, as far as their words tell.
    fn reads_arguments(&self, sources: &[SourceFile]) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_compiler_is_not_called_missing() {
        let mut absent = NotInstalled {
            language: LanguageId::C,
            program: "gcc".to_owned(),
            install: "apt-get install gcc".to_owned(),
            broken: None,
        };
        assert_eq!(absent.to_string(), "not installed: gcc (c)");
        assert_eq!(
            absent.text().en,
            "not installed: gcc (try `apt-get install gcc`)"
        );
        absent.broken = Some("`/usr/bin/gcc`: no answer within 10 s".to_owned());
        assert_eq!(
            absent.to_string(),
            "broken: gcc (c): `/usr/bin/gcc`: no answer within 10 s"
        );
        assert_eq!(
            absent.text().en,
            "gcc is here but broken: `/usr/bin/gcc`: no answer within 10 s"
        );
    }
}

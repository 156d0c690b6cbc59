//! A runner without a sandbox, for sources that these tests wrote themselves.

#![allow(dead_code, reason = "every test file uses a part of it")]
#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a panic in a test is the report, and a skipped one says so"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use grader_language::{Plan, Toolchain, language};
use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

/// A submission from names and contents.
pub(crate) fn sources(files: &[(&str, &[u8])]) -> Vec<SourceFile> {
    files
        .iter()
        .map(|(path, bytes)| SourceFile::new(*path, *bytes))
        .collect()
}

/// The toolchain, or nothing and a word about it.
pub(crate) fn toolchain(id: LanguageId) -> Option<Toolchain> {
    match language(id).find() {
        Ok(toolchain) => Some(toolchain),
        Err(missing) => {
            eprintln!("skipped: {missing}; {}", missing.install);
            None
        }
    }
}

/// A submission that was built.
pub(crate) struct Built {
    pub(crate) id: LanguageId,
    pub(crate) plan: Plan,
    pub(crate) toolchain: Toolchain,
    /// Whether every step succeeded.
    pub(crate) success: bool,
    /// What the steps printed.
    pub(crate) messages: Vec<u8>,
    pub(crate) sources: Vec<SourceFile>,
    folder: tempfile::TempDir,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: Vec<u8>,
}

/// Builds; nothing where the compiler is missing.
pub(crate) fn build(id: LanguageId, files: &[(&str, &[u8])]) -> Option<Built> {
    let toolchain = toolchain(id)?;
    let sources = sources(files);
    let folder = tempfile::tempdir().unwrap();
    let plan = language(id).plan(&sources, &toolchain, folder.path());
    for (path, bytes) in &plan.files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let mut messages = Vec::new();
    let mut success = true;
    for step in &plan.steps {
        let output = start(step, folder.path(), &[], b"");
        messages.extend_from_slice(&output.stdout);
        messages.extend_from_slice(&output.stderr);
        success &= output.status.success();
        if !success {
            break;
        }
    }
    Some(Built {
        id,
        plan,
        toolchain,
        success,
        messages,
        sources,
        folder,
    })
}

impl Built {
    /// Runs what was built, in a folder of its own.
    pub(crate) fn run(&self, arguments: &[&str], stdin: &str) -> Ran {
        assert!(self.success, "{}", self.messages());
        let command = language(self.id).command(
            &self.plan,
            &self.toolchain,
            self.folder.path(),
            Bytes(64 << 20),
        );
        let elsewhere = tempfile::tempdir().unwrap();
        let output = start(&command, elsewhere.path(), arguments, stdin.as_bytes());
        let end = match (output.status.code(), output.status.signal()) {
            (Some(status), _) => End::Exited(status),
            (None, signal) => End::Signalled(signal.unwrap()),
        };
        Ran {
            end,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: output.stderr,
        }
    }

    /// Runs and returns what was printed; the run must succeed.
    pub(crate) fn prints(&self, arguments: &[&str], stdin: &str) -> String {
        let ran = self.run(arguments, stdin);
        assert_eq!(
            ran.end,
            End::Exited(0),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        ran.stdout
    }

    /// The compiler's messages.
    pub(crate) fn messages(&self) -> String {
        String::from_utf8_lossy(&self.messages).into_owned()
    }

    /// Advice on the failed build; it must have failed.
    pub(crate) fn build_advice(&self) -> Vec<String> {
        assert!(!self.success, "the build succeeded");
        let advice = language(self.id).explain_build(&self.messages, &self.sources);
        english(&advice)
    }

    /// Advice on a failed run.
    pub(crate) fn run_advice(&self, arguments: &[&str], stdin: &str) -> Vec<String> {
        let ran = self.run(arguments, stdin);
        assert!(!ran.end.is_success(), "the run succeeded");
        english(&language(self.id).explain_run(&ran.stderr, ran.end))
    }
}

/// The English half, after a look at the Chinese one.
pub(crate) fn english(advice: &[Text]) -> Vec<String> {
    for text in advice {
        assert!(
            text.zh.chars().any(|c| c >= '\u{4e00}'),
            "no Chinese: {text:?}"
        );
    }
    advice.iter().map(|text| text.en.clone()).collect()
}

fn start(
    command: &grader_language::Command,
    folder: &Path,
    arguments: &[&str],
    stdin: &[u8],
) -> Output {
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .args(arguments)
        .env_clear()
        // As the judge sets it for every program.
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .env("LANG", "C.UTF-8")
        .envs(
            command
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

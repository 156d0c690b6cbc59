//! A runner without a sandbox, for these tests' own sources.

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
use std::sync::Arc;

use grader_language::{Language, Languages, Plan, ProgramSources, SourceText, Toolchain};
use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

/// A built submission.
pub(crate) struct Built {
    pub(crate) id: LanguageId,
    pub(crate) plan: Plan,
    toolchain: Toolchain,
    /// Whether every step succeeded.
    pub(crate) success: bool,
    /// The steps' output, without the build folder.
    pub(crate) messages: String,
    pub(crate) sources: Vec<SourceFile>,
    folder: tempfile::TempDir,
}

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: Vec<u8>,
}

/// Whether everything is tried, as in `.ci/nightly`.
pub(crate) fn is_nightly() -> bool {
    std::env::var_os("BITCRAFT_NIGHTLY").is_some()
}

/// A built-in language.
pub(crate) fn language(id: LanguageId) -> Arc<Language> {
    Arc::clone(Languages::built_in().get(id).unwrap())
}

/// The built-in language of some sources.
pub(crate) fn recognise(sources: &[SourceFile]) -> Option<LanguageId> {
    let languages = Languages::built_in();
    let found = languages.recognise(&SourceText::all(sources));
    found.map(|language| language.id)
}

/// The plan for building a program in a built-in language.
pub(crate) fn plan(
    id: LanguageId,
    sources: &[SourceFile],
    toolchain: &Toolchain,
    folder: &Path,
) -> Plan {
    let texts = SourceText::all(sources);
    language(id).plan(&ProgramSources::own(&texts), toolchain, folder)
}

/// Builds; prints a message and returns `None` if the compiler is missing.
pub(crate) fn build(id: LanguageId, files: &[(&str, &[u8])]) -> Option<Built> {
    let toolchain = match language(id).find() {
        Ok(toolchain) => toolchain,
        Err(missing) => {
            eprintln!("skipped: {missing}");
            return None;
        }
    };
    let sources: Vec<SourceFile> = files
        .iter()
        .map(|(path, bytes)| SourceFile::new(*path, *bytes))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(id, &sources, &toolchain, folder.path());
    for (path, bytes) in &plan.files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let mut messages = String::new();
    let success = plan.step.as_ref().is_none_or(|step| {
        let output = start(step, folder.path(), &[], b"");
        messages += &String::from_utf8_lossy(&output.stdout);
        messages += &String::from_utf8_lossy(&output.stderr);
        output.status.success()
    });
    let messages = messages.replace(&format!("{}/", folder.path().display()), "");
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
    /// Runs the built program in its own folder.
    pub(crate) fn run(&self, arguments: &[&str], stdin: &str) -> Ran {
        assert!(self.success, "{}", self.messages);
        let memory = Bytes(64 << 20);
        let folder = self.folder.path();
        let command = language(self.id).command(&self.plan, &self.toolchain, folder, memory);
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

    /// Runs the program and returns its output; the run must succeed.
    pub(crate) fn prints(&self, arguments: &[&str], stdin: &str) -> String {
        let ran = self.run(arguments, stdin);
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.end, End::Exited(0), "{stderr}");
        ran.stdout
    }
}

/// The English texts, after a check of the Chinese ones.
pub(crate) fn english(advice: &[Text]) -> Vec<&str> {
    for text in advice {
        assert!(
            text.zh.chars().any(|c| c >= '\u{4e00}'),
            "no Chinese: {text:?}"
        );
    }
    advice.iter().map(|text| text.en.as_str()).collect()
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
        .envs(command.environment.iter().cloned())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

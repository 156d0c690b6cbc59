//! A grader in a folder of its own.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

/// A temporary folder in which the grader is run.
pub(crate) struct Room {
    folder: TempDir,
    /// Where the grader keeps measurements: not where its user does.
    cache: TempDir,
    environment: Vec<(String, String)>,
    /// Whether classes are graded with a ledger.
    keeps: bool,
}

/// What a run of the grader left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Room {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            cache: tempfile::tempdir().unwrap(),
            environment: Vec::new(),
            keeps: false,
        }
    }

    /// Lets classes be graded as they are outside of tests: with a ledger, from which unchanged results are taken.
    pub(crate) fn keeping(mut self) -> Self {
        self.keeps = true;
        self
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Writes a program that this process never has open: whatever another test starts at that moment would keep it open for
    /// writing, and such a file cannot be started.
    pub(crate) fn program(self, path: &str, bytes: &[u8]) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut shell = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
            .arg(path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        shell.stdin.take().unwrap().write_all(bytes).unwrap();
        assert!(shell.wait().unwrap().success());
        self
    }

    /// Makes a folder.
    pub(crate) fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.path(path)).unwrap();
        self
    }

    /// Gives the grader a temporary folder of its own, `tmp`.
    pub(crate) fn with_tmp(self) -> Self {
        let tmp = self.path("tmp");
        self.folder("tmp").env("TMPDIR", tmp.to_str().unwrap())
    }

    /// Copies a folder of `tests/fixtures`.
    pub(crate) fn fixture(self, name: &str, to: &str) -> Self {
        self.copy(&format!("grader/tests/fixtures/{name}"), to)
    }

    /// Copies a folder of the repository.
    pub(crate) fn copy(self, from: &str, to: &str) -> Self {
        copy(&repository().join(from), &self.path(to));
        self
    }

    /// Replaces a text in a file; the text must stand there once.
    pub(crate) fn replace(self, path: &str, old: &str, new: &str) -> Self {
        let path = self.path(path);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text.matches(old).count(),
            1,
            "`{old}` in {}",
            path.display()
        );
        fs::write(path, text.replace(old, new)).unwrap();
        self
    }

    /// Sets an environment variable of the grader.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// An environment variable of the grader that was set here.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        let mut all = self.environment.iter();
        all.find_map(|(it, value)| (it == name).then_some(value.as_str()))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The folder that the grader takes for its user's cache.
    pub(crate) fn cache(&self) -> &Path {
        self.cache.path()
    }

    /// The grader, ready to be started here. What runs programs does so in the sandbox where this machine has
    /// one, else without, unless the arguments say how. A class is judged again each time, unless the room is a
    /// keeping one; no pages are written.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut arguments = arguments.to_vec();
        if let Some(at) = subcommand(&arguments)
            && arguments[at] == "grade"
        {
            let without = if self.keeps {
                "--no-pages"
            } else {
                "--no-ledger"
            };
            arguments.insert(at + 1, without);
        }
        if let Some(at) = subcommand(&arguments)
            && ["grade", "test", "verify"].contains(&arguments[at])
            && !arguments.contains(&"--isolation")
            && !strict()
        {
            let rest = arguments.split_off(at + 1);
            arguments.extend(["--isolation", "basic"]);
            arguments.extend(rest);
        }
        self.command_as_it_is(&arguments)
    }

    /// The grader with exactly these arguments.
    pub(crate) fn command_as_it_is(&self, arguments: &[&str]) -> Command {
        let mut command = self.prepared(Command::new(cargo_bin!("grader")));
        command.args(arguments);
        command
    }

    /// A command in this room, with the environment of the grader.
    pub(crate) fn prepared(&self, mut command: Command) -> Command {
        command
            .current_dir(self.folder.path())
            .env("LC_ALL", "en_GB.UTF-8")
            .env("XDG_CACHE_HOME", self.cache.path())
            // Other tests run graders at the same time.
            .env("BITCRAFT_CORE_LOCKS", self.cache.path())
            .env_remove("NO_COLOR")
            .env_remove("GRADER_LEDGER")
            .env_remove("GITHUB_STEP_SUMMARY")
            .env_remove("GITHUB_ACTIONS")
            .stdin(Stdio::null());
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    /// Runs the grader here, for assertions on its exit status and on its whole output. One that fails shows the
    /// command and both streams.
    pub(crate) fn assert(&self, arguments: &[&str]) -> Assert {
        assert_cmd::Command::from_std(self.command(arguments)).assert()
    }

    /// Runs the grader here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.assert(arguments).get_output().clone())
    }

    /// Runs the grader here with exactly these arguments.
    pub(crate) fn run_as_it_is(&self, arguments: &[&str]) -> Ran {
        let command = self.command_as_it_is(arguments);
        Ran::of(assert_cmd::Command::from_std(command).output().unwrap())
    }

    /// Runs the grader here and reads its standard output as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = self.run(arguments);
        let value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| {
            panic!("{error}\nstdout: {}\nstderr: {}", ran.stdout, ran.stderr)
        });
        (ran.status, value)
    }
}

/// Where the subcommand stands: before it there are only options of every command, each with its value.
fn subcommand(arguments: &[&str]) -> Option<usize> {
    let options = arguments
        .chunks(2)
        .take_while(|pair| pair[0].starts_with("--"));
    let at = options.count() * 2;
    (at < arguments.len()).then_some(at)
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("what we print is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("what we print is UTF-8"),
        }
    }
}

/// Whether this machine has every layer of strict isolation; prints if not.
pub(crate) fn strict() -> bool {
    static STRICT: OnceLock<bool> = OnceLock::new();
    *STRICT.get_or_init(|| {
        let arguments = ["doctor", "--json", "-"];
        let output = Room::new().command_as_it_is(&arguments).output().unwrap();
        let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap();
        let holds = diagnosis["strict"] == true;
        if !holds {
            eprintln!(
                "skipped: strict isolation is not available here; programs run at level basic"
            );
        }
        holds
    })
}

/// Whether the full counts are tried, not the few of `.ci/run`.
pub(crate) fn is_nightly() -> bool {
    std::env::var_os("BITCRAFT_NIGHTLY").is_some()
}

/// The top of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Whether all of these programs are on the search path; prints which one is not.
pub(crate) fn have(programs: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    for program in programs {
        if !std::env::split_paths(&path).any(|folder| folder.join(program).is_file()) {
            eprintln!("skipped: `{program}` is not installed");
            return false;
        }
    }
    true
}

/// The results of one student.
pub(crate) fn student<'a>(results: &'a Value, id: &str) -> &'a Value {
    results["students"]
        .as_array()
        .unwrap()
        .iter()
        .find(|student| student["id"] == id)
        .unwrap_or_else(|| panic!("no student `{id}`"))
}

/// The result of one problem of a student.
pub(crate) fn problem<'a>(student: &'a Value, id: &str) -> &'a Value {
    student["problems"]
        .as_array()
        .unwrap()
        .iter()
        .find(|problem| problem["id"] == id)
        .unwrap_or_else(|| panic!("no problem `{id}`"))
}

/// Whether a grader with the temporary folder `tmp` uses a folder with a name that begins so.
pub(crate) fn has_folder(tmp: &Path, prefix: &str) -> bool {
    fs::read_dir(tmp).unwrap().flatten().any(|root| {
        fs::read_dir(root.path())
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
    })
}

/// A zip of these files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A sheet for points by hand without its last column, which says which submission each row is for.
pub(crate) fn without_submissions(sheet: &str) -> String {
    let rows = sheet.lines().map(|row| row.rsplit_once(',').unwrap().0);
    rows.flat_map(|row| [row, "\r\n"]).collect()
}

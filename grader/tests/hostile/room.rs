//! A folder with an assignment and a class, and one run of the grader on it.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::is_nightly;
use crate::outside::{Outside, cgroups, until};
use crate::station::Station;

/// A folder in which the grader is run, readable by any user.
pub(crate) struct Room<'a> {
    folder: TempDir,
    pub(crate) station: &'a Station,
    pub(crate) outside: Outside,
    cgroups: BTreeSet<PathBuf>,
}

impl<'a> Room<'a> {
    /// A folder with an assignment of no problems yet.
    pub(crate) fn new(station: &'a Station) -> Self {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        for name in ["class", "home", "tmp", "assignment"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let outside = Outside::new(&folder.path().join("outside"));
        let room = Self {
            cgroups: cgroups(),
            folder,
            station,
            outside,
        };
        let head = "format = 1\nid = \"hostile\"\ntitle = { zh = \"恶意\", en = \"Hostile\" }\n";
        room.write("assignment/assignment.toml", head);
        room
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Adds a problem, worth a point, to the assignment. `text` follows its title, and `cases` are the tables
    /// `[[subtask.case]]`.
    pub(crate) fn problem(&self, id: &str, text: &str, cases: &str) {
        // The search builds and runs each C program that fails several times.
        let searches = is_nightly();
        let assignment = self.path("assignment/assignment.toml");
        let head = fs::read_to_string(&assignment).unwrap();
        let entry = format!("[[problem]]\npath = \"{id}\"\npoints = 1\n");
        fs::write(assignment, head + &entry).unwrap();
        self.write(
            &format!("assignment/{id}/problem.toml"),
            format!(
                "format = 1\nid = \"{id}\"\ntitle = {{ zh = \"题\", en = \"Task\" }}\n{text}\n[checks]\nundefined-behaviour = {searches}\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\n{cases}"
            ),
        );
    }

    /// Adds a language to the assignment.
    pub(crate) fn language(&self, table: &str) {
        let assignment = self.path("assignment/assignment.toml");
        let head = fs::read_to_string(&assignment).unwrap();
        fs::write(assignment, head + table).unwrap();
    }

    /// The grader on the class, ready to be started; its report is JSON on standard output.
    pub(crate) fn grader(&self) -> Command {
        for name in ["class", "home", "tmp"] {
            self.station.give(&self.path(name));
        }
        let mut command = self.station.grader(self.folder.path());
        command
            .env("CI_JOB_TOKEN", &self.outside.secret)
            .arg("grade")
            .args(self.station.isolation())
            .args(["class", "-a", "./assignment", "-j", "2", "--no-ledger"])
            .args(["--json", "-"])
            .stdin(Stdio::null());
        command
    }

    /// Grades the class and looks at the machine: the report, and what is not as it must be.
    pub(crate) fn grade(&self) -> (Value, Vec<String>) {
        let output = self.grader().output().unwrap();
        let text = String::from_utf8(output.stdout).expect("what we print is UTF-8");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{error}\nstdout: {text}\nstderr: {stderr}"));
        let students = report["students"].as_array().into_iter().flatten();
        let has_open = students.into_iter().any(|it| it["points"].is_null());
        let is_control = |character: char| character.is_control() && character != '\n';
        let mut complaints = Vec::new();
        for (is_wrong, what) in [
            (
                output.status.code() != Some(if has_open { 3 } else { 0 }),
                "another exit status",
            ),
            (
                report["isolation"]["level"] != self.station.level(),
                "another isolation level",
            ),
            (
                text.contains(&self.outside.secret),
                "a secret is in the report",
            ),
            (
                text.contains("root:"),
                "the system's users are in the report",
            ),
            (
                text.contains(is_control),
                "a control character is in the report",
            ),
        ] {
            if is_wrong {
                complaints.push(format!("{what}: {stderr}"));
            }
        }
        complaints.extend(self.left());
        complaints.extend(self.outside.complaints());
        (report, complaints)
    }

    /// What the grader has left behind: temporary files, and control groups that were not there before.
    fn left(&self) -> Vec<String> {
        let groups = || -> Vec<PathBuf> { cgroups().difference(&self.cgroups).cloned().collect() };
        until(|| groups().is_empty());
        let files = fs::read_dir(self.path("tmp")).unwrap();
        let files = files.map(|entry| entry.unwrap().path());
        files
            .chain(groups())
            .map(|path| format!("`{}` was left", path.display()))
            .collect()
    }
}

/// The results of one student.
pub(crate) fn student<'a>(report: &'a Value, id: &str) -> &'a Value {
    find(&report["students"], id)
}

/// The result of one problem of a student.
pub(crate) fn problem<'a>(student: &'a Value, id: &str) -> &'a Value {
    find(&student["problems"], id)
}

fn find<'a>(list: &'a Value, id: &str) -> &'a Value {
    let mut list = list.as_array().unwrap().iter();
    list.find(|entry| entry["id"] == id)
        .unwrap_or_else(|| panic!("no `{id}`"))
}

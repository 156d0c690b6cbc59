//! What changes points after judging: the deadline of the assignment, and the file of corrections.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::Args;
use grader_adjust::adjust;
use grader_model::{AllAttempts, AssignmentInfo, AttemptChoice, Results, escaped};
use grader_problem::{Correction, MemoryLibrary, load_corrections};
use jiff::Timestamp;

use crate::assignment::drawn;
use crate::exit::Failure;
use crate::ledger::shortened;
use crate::objections;
use crate::stored::StoredRuns;
use crate::terminal::{Terminal, shown};

/// The name of the file beside a class.
const USUAL: &str = "corrections.toml";

#[derive(Debug, Default, Args)]
pub(crate) struct CorrectionsArgs {
    /// Corrections by hand [default: `corrections.toml` beside the class, if it exists; for one student's work, none].
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    corrections: Option<PathBuf>,
}

/// The corrections of a class.
#[derive(Default)]
pub(crate) struct Corrections {
    /// The file; empty if none is read.
    pub(crate) path: PathBuf,
    /// The text of the file; empty if there is none.
    pub(crate) text: String,
    /// The texts of the files that are joined with it.
    pub(crate) joined: Vec<String>,
    list: Vec<Correction>,
}

/// The clock; tests set it with `BITCRAFT_NOW`.
pub(crate) fn now() -> Timestamp {
    let given = std::env::var("BITCRAFT_NOW").ok();
    let given = given.and_then(|it| it.parse().ok());
    given.unwrap_or_else(Timestamp::now)
}

impl CorrectionsArgs {
    /// Whether no file is named.
    pub(crate) const fn is_usual(&self) -> bool {
        self.corrections.is_none()
    }

    /// Where the corrections of a class are. A file beside the work of one student may be the student's: that one must be
    /// named.
    pub(crate) fn path(&self, class: &Path, is_of_one_student: bool) -> Option<PathBuf> {
        let beside = || shortened(class.parent().unwrap_or(class).join(USUAL));
        let named = self.corrections.clone();
        named.or_else(|| (!is_of_one_student).then(beside))
    }

    /// Reads the corrections of a class.
    ///
    /// # Errors
    /// Mistakes in the file; if it was named, also if there is none.
    pub(crate) fn load(
        &self,
        class: &Path,
        is_of_one_student: bool,
        info: &AssignmentInfo,
        terminal: &Terminal,
    ) -> Result<Corrections, Failure> {
        let Some(path) = self.path(class, is_of_one_student) else {
            return Ok(Corrections::default());
        };
        if self.corrections.is_some() && !path.exists() {
            let path = shown(&path);
            return Err(Failure::usage(format!("there is no file `{path}`")));
        }
        Corrections::read(path, info, terminal)
    }
}

impl Corrections {
    /// Reads a file of corrections; none if there is no file.
    ///
    /// # Errors
    /// Mistakes in it.
    pub(crate) fn read(
        path: PathBuf,
        info: &AssignmentInfo,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        match fs::read(&path) {
            Ok(bytes) => Self::parse(path, Some(bytes), info, terminal),
            // A link that leads nowhere is a mistake.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
                Self::parse(path, None, info, terminal)
            }
            Err(error) => {
                let path = shown(&path);
                Err(Failure::usage(format!("cannot read `{path}`: {error}")))
            }
        }
    }

    /// What the file has now. If it has mistakes, they are reported, and what it had stays.
    pub(crate) fn reread(self, info: &AssignmentInfo, terminal: &Terminal) -> Self {
        Self::read(self.path.clone(), info, terminal).unwrap_or_else(|failure| {
            terminal.error(&failure);
            self
        })
    }

    /// The corrections in the bytes of a file, if it exists, joined with those in the files of the folder that is named
    /// as it is without `.toml`: several people correct, each in a file.
    ///
    /// # Errors
    /// Mistakes in them.
    pub(crate) fn parse(
        path: PathBuf,
        bytes: Option<Vec<u8>>,
        info: &AssignmentInfo,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let shown = path.to_string_lossy();
        let (folder, name) = shown.rsplit_once('/').unwrap_or(("", &shown));
        let joined = files_beside(&path)?;
        let (own, texts) = (
            bytes.as_ref().map(text),
            joined.values().map(text).collect(),
        );
        let own_file = bytes.map(|bytes| (name.to_owned(), bytes));
        let files: BTreeMap<String, Vec<u8>> = joined.into_iter().chain(own_file).collect();
        let library = MemoryLibrary::new(folder, files.clone());
        let list = load_corrections(&library, files.keys().map(String::as_str), info);
        let list = list.map_err(|mistakes| drawn(&mistakes, terminal))?;
        Ok(Self {
            text: own.unwrap_or_default(),
            joined: texts,
            list,
            path,
        })
    }

    /// Whether there is one for this group.
    pub(crate) fn has_group(&self, id: &str) -> bool {
        self.list.iter().any(|it| it.group.as_deref() == Some(id))
    }

    /// Those that assign files to problems, which only matter when a class is read.
    pub(crate) fn of_files(&self) -> Vec<Correction> {
        let of_files = self.list.iter().filter(|it| it.file.is_some());
        of_files.cloned().collect()
    }

    /// All of them.
    pub(crate) fn list(&self) -> &[Correction] {
        &self.list
    }

    /// Adds corrections that no file has.
    pub(crate) fn extend(&mut self, more: Vec<Correction>) {
        self.list.extend(more);
    }

    /// Applies the deadline and the corrections to results as they were judged, and warns of those that change nothing.
    /// Attempts come from the ledger.
    pub(crate) fn apply(
        &self,
        results: &mut Results,
        stored: Option<&StoredRuns>,
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        for unknown in self.apply_quietly(results, stored)? {
            self.warn_of(unknown, terminal);
        }
        if !self.path.as_os_str().is_empty() {
            let folder = self.path.with_file_name(objections::FOLDER);
            objections::add(results, &folder, terminal)?;
        }
        Ok(())
    }

    /// Returns the corrections that change nothing.
    pub(crate) fn apply_quietly(
        &self,
        results: &mut Results,
        stored: Option<&StoredRuns>,
    ) -> anyhow::Result<Vec<&Correction>> {
        let deadline = results.assignment.deadline.as_ref();
        let is_best = deadline.is_some_and(|it| it.attempts == AttemptChoice::Best);
        let by_hand = self.list.iter().any(|it| it.attempt.is_some());
        let attempts = match (stored, &results.run) {
            (Some(stored), Some(run)) if is_best || by_hand => stored.attempts(run.id)?,
            _ => AllAttempts::new(),
        };
        Ok(adjust(results, &self.list, attempts, now()))
    }

    fn warn_of(&self, unknown: &Correction, terminal: &Terminal) {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let place = shown(&folder.join(&unknown.place));
        if let Some(group) = &unknown.group {
            let group = escaped(group.as_bytes());
            terminal.warn(
                format!("{place}: no submission is in the group `{group}` any more"),
                format!("{place}：已没有提交属于 `{group}` 这一类"),
            );
            return;
        }
        let student = escaped(unknown.student.as_bytes());
        terminal.warn(
            format!("{place}: there is no student `{student}` in these results"),
            format!("{place}：这些结果中没有学生 `{student}`"),
        );
    }
}

/// The files that are joined with a file of corrections, by their paths beside it.
fn files_beside(path: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let folder = path.with_extension("");
    let failed = |path: &Path, error: io::Error| {
        Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
    };
    let Some(name) = folder.file_name().filter(|_| folder.is_dir()) else {
        return Ok(BTreeMap::new());
    };
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
        let path = entry.map_err(|error| failed(&folder, error))?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
            let path = Path::new(name).join(path.file_name().unwrap_or_default());
            files.insert(path.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(files)
}

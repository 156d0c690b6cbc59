//! What changes points after judging: the deadline of the assignment, and the file of corrections.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_adjust::adjust;
use grader_model::{AllAttempts, AssignmentInfo, AttemptChoice, Results, escaped};
use grader_problem::{Correction, MemoryLibrary, load_corrections};

use crate::assignment::drawn;
use crate::exit::Failure;
use crate::ledger::shortened;
use crate::stored::StoredRuns;
use crate::terminal::{Terminal, shown};

/// The name of the file beside a class.
const USUAL: &str = "corrections.toml";

#[derive(Debug, Args)]
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
    list: Vec<Correction>,
}

impl CorrectionsArgs {
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
            Ok(bytes) => Self::parse(path, bytes, info, terminal),
            // A link that leads nowhere is a mistake.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(Self {
                path,
                text: String::new(),
                list: Vec::new(),
            }),
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

    /// The corrections in the bytes of a file.
    ///
    /// # Errors
    /// Mistakes in them.
    pub(crate) fn parse(
        path: PathBuf,
        bytes: Vec<u8>,
        info: &AssignmentInfo,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let shown = path.to_string_lossy();
        let (folder, name) = shown.rsplit_once('/').unwrap_or(("", &shown));
        let library = MemoryLibrary::new(folder, BTreeMap::from([(name.to_owned(), bytes)]));
        let list = load_corrections(&library, name, info);
        let list = list.map_err(|mistakes| drawn(&mistakes, terminal))?;
        Ok(Self { path, text, list })
    }

    /// Those that assign files to problems, which only matter when a class is read.
    pub(crate) fn of_files(&self) -> Vec<Correction> {
        let of_files = self.list.iter().filter(|it| it.file.is_some());
        of_files.cloned().collect()
    }

    /// Applies the deadline and the corrections to results as they were judged. Attempts come from the ledger.
    pub(crate) fn apply(
        &self,
        results: &mut Results,
        stored: Option<&StoredRuns>,
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        let deadline = results.assignment.deadline.as_ref();
        let is_best = deadline.is_some_and(|it| it.attempts == AttemptChoice::Best);
        let by_hand = self.list.iter().any(|it| it.attempt.is_some());
        let attempts = match (stored, &results.run) {
            (Some(stored), Some(run)) if is_best || by_hand => stored.attempts(run.id)?,
            _ => AllAttempts::new(),
        };
        let path = shown(&self.path);
        for unknown in adjust(results, &self.list, attempts) {
            let (line, student) = (unknown.line, escaped(unknown.student.as_bytes()));
            terminal.warn(
                format!("{path}:{line}: there is no student `{student}` in these results"),
                format!("{path}:{line}：这些结果中没有学生 `{student}`"),
            );
        }
        Ok(())
    }
}

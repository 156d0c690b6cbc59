//! What changes points after judging: the deadline of the assignment, and the file of corrections.

use std::path::{Path, PathBuf};

use clap::Args;
use grader_adjust::adjust;
use grader_model::{AssignmentInfo, AttemptChoice, Results, escaped};
use grader_problem::{Correction, DiskLibrary, load_corrections};

use crate::assignment::drawn;
use crate::exit::Failure;
use crate::ledger::shortened;
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

/// The name of the file beside a class.
const USUAL: &str = "corrections.toml";

#[derive(Debug, Args)]
#[command(next_help_heading = "Corrections")]
pub(crate) struct CorrectionsArgs {
    /// Points, comments, excuses and deadlines that people have set [default: `corrections.toml` beside the class, if it
    /// is there].
    #[arg(long, value_name = "FILE")]
    corrections: Option<PathBuf>,
}

/// The corrections of a class.
pub(crate) struct Corrections {
    pub(crate) path: PathBuf,
    pub(crate) list: Vec<Correction>,
}

impl CorrectionsArgs {
    /// Reads the corrections of a class.
    ///
    /// # Errors
    /// Mistakes in the file; if it was named, also if there is none.
    pub(crate) fn load(
        &self,
        class: &Path,
        info: &AssignmentInfo,
        terminal: &Terminal,
    ) -> Result<Corrections, Failure> {
        let beside = || shortened(class.parent().unwrap_or(class).join(USUAL));
        let path = self.corrections.clone().unwrap_or_else(beside);
        let mut list = Vec::new();
        if self.corrections.is_some() || path.exists() {
            let folder = Path::new(".").join(path.parent().unwrap_or(Path::new("")));
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let loaded = load_corrections(&DiskLibrary::new(folder), &name, info);
            list = loaded.map_err(|mistakes| drawn(&mistakes, terminal))?;
        }
        Ok(Corrections { path, list })
    }
}

impl Corrections {
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
        let run = results.run.as_ref().map(|run| run.id);
        let attempts = match (stored, run) {
            (Some(stored), Some(run)) if is_best || by_hand => stored.attempts(run)?,
            _ => Vec::new(),
        };
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        for unknown in adjust(results, &self.list, attempts) {
            let (line, student) = (unknown.line, escaped(unknown.student.as_bytes()));
            terminal.note(
                format!("{path}:{line}: there is no student `{student}` in these results"),
                format!("{path}:{line}：这些结果中没有学生 `{student}`"),
            );
        }
        Ok(())
    }
}

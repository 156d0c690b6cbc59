//! Finding the ledger that holds the results of a class.

use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{Results, RunState, RunSummary, escaped};
use grader_store::Reader;

use crate::exit::Mistake;
use crate::ledger;

/// How many runs a message lists, the last ones.
const MAX_LISTED_RUNS: usize = 8;

/// A ledger, or the runs in it of one class.
pub(crate) struct StoredRuns {
    reader: Reader,
    /// As it was named.
    path: PathBuf,
    class: Option<PathBuf>,
}

impl StoredRuns {
    /// What a source names: a ledger, a class that was graded, or a folder with a ledger. By default the ledger of the
    /// environment, or else the one in the current folder.
    pub(crate) fn find(source: Option<&Path>) -> anyhow::Result<Self> {
        let mut path = ledger::named(source).unwrap_or_else(|| PathBuf::from(ledger::USUAL));
        let is_folder = path.is_dir();
        if is_folder || (source.is_some() && path.is_file()) {
            let class = fs::canonicalize(&path)?;
            let known = candidates(&class);
            for ledger in known.iter().filter(|ledger| ledger.is_file()) {
                let reader = Reader::open(ledger)?;
                if reader.history()?.iter().any(|run| run.class == class) {
                    let class = Some(class);
                    return Ok(Self {
                        reader,
                        path,
                        class,
                    });
                }
            }
            let inside = path.join(ledger::USUAL);
            if is_folder && !inside.is_file() {
                return Err(no_runs(&path, &class).into());
            }
            if is_folder {
                path = inside;
            }
        }
        Ok(Self {
            reader: Reader::open(&path)?,
            path,
            class: None,
        })
    }

    /// The results of a run, or of the last one that has any.
    pub(crate) fn results(&self, run: Option<u64>) -> anyhow::Result<Results> {
        let runs = self.runs()?;
        let run = match run {
            // Another class's points must not be taken for those of the class that is named.
            Some(run) if runs.iter().any(|known| known.id == run) => run,
            Some(run) => return Err(no_run(run, &runs, &self.path).into()),
            None => {
                let last = runs.iter().rev().find(|run| has_results(run));
                let last = last.ok_or_else(|| {
                    Mistake::new(
                        "the ledger holds no results yet",
                        "评测账本中还没有评测结果",
                    )
                })?;
                last.id
            }
        };
        Ok(self.reader.results(run)?)
    }

    /// The runs, the earliest first.
    pub(crate) fn runs(&self) -> anyhow::Result<Vec<RunSummary>> {
        let mut runs = self.reader.history()?;
        if let Some(class) = &self.class {
            runs.retain(|run| run.class == *class);
        }
        Ok(runs)
    }

    /// Whether a process is making this run now.
    pub(crate) fn is_running(&self, run: Option<u64>) -> bool {
        let runs = self.reader.history().unwrap_or_default();
        let mut running = runs.iter().filter(|run| run.state == RunState::Running);
        running.any(|running| Some(running.id) == run)
    }

    /// The source, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Where the ledger of a class may be: in the environment, or beside it.
fn candidates(class: &Path) -> Vec<PathBuf> {
    let beside = ledger::shortened(ledger::beside(class));
    ledger::named(None).into_iter().chain([beside]).collect()
}

/// Whether a run came as far as to know its students.
pub(crate) const fn has_results(run: &RunSummary) -> bool {
    run.students > 0
}

fn no_runs(folder: &Path, class: &Path) -> Mistake {
    let searched: Vec<String> = candidates(class)
        .iter()
        .map(|path| format!("`{}`", shown(path)))
        .collect();
    let folder = shown(folder);
    Mistake::new(
        format!(
            "no run of the class `{folder}` is stored in {}; name another ledger by its file",
            searched.join(" or ")
        ),
        format!(
            "{} 中没有班级 `{folder}` 的评测记录；其他账本请直接指定文件",
            searched.join("、")
        ),
    )
}

fn no_run(run: u64, runs: &[RunSummary], source: &Path) -> Mistake {
    let skipped = runs.len().saturating_sub(MAX_LISTED_RUNS);
    let mut listed: Vec<String> = runs[skipped..].iter().map(|it| it.id.to_string()).collect();
    if skipped > 0 {
        listed.insert(0, "…".to_owned());
    }
    let source = shown(source);
    Mistake::new(
        format!("`{source}` has no run {run}; it has {}", listed.join(", ")),
        format!(
            "`{source}` 没有第 {run} 次评测；已有：{}",
            listed.join("、")
        ),
    )
}

fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_encoded_bytes())
}

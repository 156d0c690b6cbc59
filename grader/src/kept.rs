//! Finding the ledger that holds results.

use std::path::{Path, PathBuf};

use grader_model::{Results, RunState, RunSummary, escaped};
use grader_store::Reader;

use crate::exit::Mistake;
use crate::ledger;

/// So many runs are named in a message, the last ones.
const NAMED_RUNS: usize = 8;

/// A ledger, and the class of it that is meant, if one is named.
pub(crate) struct Kept {
    reader: Reader,
    /// As it was named.
    path: PathBuf,
    class: Option<PathBuf>,
}

impl Kept {
    /// The ledger that a source names: itself, or as a class that was graded.
    pub(crate) fn find(source: Option<&Path>) -> anyhow::Result<Self> {
        let named = ledger::named(source);
        let path = named.unwrap_or_else(|| PathBuf::from(ledger::USUAL));
        if path.is_dir() {
            return Self::of_class(&path);
        }
        // A class may be an archive.
        if source.is_some()
            && path.is_file()
            && let Some(known) = Self::knows(&path)?
        {
            return Ok(known);
        }
        Ok(Self {
            reader: Reader::open(&path)?,
            path,
            class: None,
        })
    }

    /// The ledger that knows a class, a folder or an archive: that of the environment, or else the one beside the class.
    fn knows(path: &Path) -> anyhow::Result<Option<Self>> {
        let class = ledger::class_path(path)?;
        for ledger in ledger::named(None)
            .into_iter()
            .chain([ledger::beside(&class)])
        {
            if !ledger.is_file() {
                continue;
            }
            let reader = Reader::open(&ledger)?;
            if reader.history()?.iter().any(|run| run.class == class) {
                return Ok(Some(Self {
                    reader,
                    path: path.to_owned(),
                    class: Some(class),
                }));
            }
        }
        Ok(None)
    }

    /// The ledger that is meant by a folder: the one that knows it as a class, or else the one in the folder.
    fn of_class(folder: &Path) -> anyhow::Result<Self> {
        if let Some(known) = Self::knows(folder)? {
            return Ok(known);
        }
        let inside = folder.join(ledger::USUAL);
        if inside.is_file() {
            return Ok(Self {
                reader: Reader::open(&inside)?,
                path: inside,
                class: None,
            });
        }
        let beside = ledger::shortened(ledger::beside(&ledger::class_path(folder)?));
        let looked = ledger::named(None).into_iter().chain([beside]);
        let looked: Vec<String> = looked.map(|path| format!("`{}`", shown(&path))).collect();
        let folder = shown(folder);
        Err(Mistake::new(
            format!(
                "no run of the class `{folder}` is kept: looked in {}; `grader grade` keeps one there, and another \
                 ledger is named by its file",
                looked.join(" and ")
            ),
            format!(
                "没有班级 `{folder}` 的评测记录：查找了 {}；`grader grade` 会在那里保存，其他账本请直接指定文件",
                looked.join("、")
            ),
        )
        .into())
    }

    /// The results of a run, or of the last one.
    pub(crate) fn results(&self, run: Option<u64>) -> anyhow::Result<Results> {
        let run = match run {
            Some(run) => known(run, &self.runs()?, &self.path)?,
            None => self.last()?,
        };
        Ok(self.reader.results(run)?)
    }

    /// The runs that are meant, the earliest first.
    pub(crate) fn runs(&self) -> anyhow::Result<Vec<RunSummary>> {
        let mut runs = self.reader.history()?;
        if let Some(class) = &self.class {
            runs.retain(|run| run.class == *class);
        }
        Ok(runs)
    }

    fn last(&self) -> anyhow::Result<u64> {
        let mut runs = self.runs()?;
        runs.retain(has_results);
        let last = runs.last().map(|run| run.id);
        Ok(last.ok_or_else(|| {
            Mistake::new(
                "the ledger holds no results yet",
                "评测账本中还没有评测结果",
            )
        })?)
    }

    /// Whether a process is making this run now.
    pub(crate) fn is_running(&self, run: Option<u64>) -> bool {
        // Who can read its results can read this; if not, nothing more is said.
        let runs = self.reader.history().unwrap_or_default();
        let run = runs.iter().find(|known| Some(known.id) == run);
        run.is_some_and(|run| run.state == RunState::Running)
    }

    /// Where it is, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a run came as far as to know its students; one that did not has nothing to show.
pub(crate) const fn has_results(run: &RunSummary) -> bool {
    run.students > 0
}

/// A run that is asked for must be one of the class that is named, where one is: points of another one would be taken
/// for its own.
fn known(run: u64, runs: &[RunSummary], source: &Path) -> Result<u64, Mistake> {
    if runs.iter().any(|known| known.id == run) {
        return Ok(run);
    }
    let source = shown(source);
    let mut known: Vec<String> = runs.iter().map(|run| run.id.to_string()).collect();
    if known.len() > NAMED_RUNS {
        known.drain(..known.len() - NAMED_RUNS);
        known.insert(0, "…".to_owned());
    }
    let (list, zh) = (known.join(", "), known.join("、"));
    Err(Mistake::new(
        format!("`{source}` has no run {run}; it has {list}"),
        format!("`{source}` 没有第 {run} 次评测；已有：{zh}"),
    ))
}

fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_encoded_bytes())
}

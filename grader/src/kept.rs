//! Finding results that were kept: in a ledger, or in a record.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use grader_model::{Results, RunState, RunSummary, escaped};
use grader_report::read_record;
use grader_store::Reader;

use crate::exit::Mistake;
use crate::ledger;

/// What every file of a database begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// So many runs are named in a message, the last ones.
const NAMED_RUNS: usize = 8;

/// Where results are kept.
pub(crate) enum Kept {
    /// A file of one run.
    Record(PathBuf),
    /// A ledger, and the class of it that is meant, where one is named.
    Ledger {
        reader: Reader,
        /// As it was named.
        path: PathBuf,
        class: Option<PathBuf>,
    },
}

impl Kept {
    /// What a source is: by what is in it, not by its name.
    pub(crate) fn find(source: Option<&Path>) -> anyhow::Result<Self> {
        let named = ledger::named(source);
        let path = named.unwrap_or_else(|| PathBuf::from(ledger::USUAL));
        if path.is_dir() {
            return Self::of_class(&path);
        }
        // What is not there is missed as a ledger, unless it was named as a file that it is not.
        if source.is_some() && path.extension().is_some_and(|it| it == "json") {
            return Ok(Self::Record(path));
        }
        match begins_as_sqlite(&path) {
            Some(false) => Ok(Self::knows(&path)?.unwrap_or(Self::Record(path))),
            Some(true) | None => Ok(Self::Ledger {
                reader: Reader::open(&path)?,
                path,
                class: None,
            }),
        }
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
                return Ok(Some(Self::Ledger {
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
            return Ok(Self::Ledger {
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
        match self {
            Self::Record(_) if run.is_some() => Err(Mistake::new(
                "`--run` is about a ledger; a record holds one run",
                "`--run` 只用于评测账本；记录文件只有一次评测",
            )
            .into()),
            Self::Record(path) => Ok(read_record(path).map_err(|error| Mistake(error.text()))?),
            Self::Ledger { reader, path, .. } => {
                let run = match run {
                    Some(run) => known(run, &self.runs()?, path)?,
                    None => self.last()?,
                };
                Ok(reader.results(run)?)
            }
        }
    }

    /// The runs that are meant, the earliest first.
    pub(crate) fn runs(&self) -> anyhow::Result<Vec<RunSummary>> {
        match self {
            Self::Record(path) => {
                let path = shown(path);
                Err(Mistake::new(
                    format!("`{path}` is not a ledger: only a ledger holds several runs"),
                    format!("`{path}` 不是评测账本：只有账本保存多次评测"),
                )
                .into())
            }
            Self::Ledger { reader, class, .. } => {
                let mut runs = reader.history()?;
                if let Some(class) = class {
                    runs.retain(|run| run.class == *class);
                }
                Ok(runs)
            }
        }
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
        let Self::Ledger { reader, .. } = self else {
            return false;
        };
        // Who can read its results can read this; if not, nothing more is said.
        let runs = reader.history().unwrap_or_default();
        let run = runs.iter().find(|known| Some(known.id) == run);
        run.is_some_and(|run| run.state == RunState::Running)
    }

    /// Where it is, for messages.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Record(path) | Self::Ledger { path, .. } => path,
        }
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

/// Whether a file is a database, by its first bytes; nothing where it cannot be read.
fn begins_as_sqlite(path: &Path) -> Option<bool> {
    // What was read of a pipe is gone for the one who reads it then.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Some(false);
    }
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(SQLITE.len() as u64)
        .read_to_end(&mut begin)
        .ok()?;
    // An empty file is a ledger in which nothing was written yet.
    Some(begin.is_empty() || begin == SQLITE)
}

//! Finding results that were kept: in a ledger, or in a record.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use grader_model::{Results, RunSummary, escaped};
use grader_report::read_record;
use grader_store::{Ledger, Reader};

use crate::exit::Mistake;
use crate::ledger;

/// What every file of a database begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";

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
            Some(false) => Ok(Self::beside(&path)?.unwrap_or(Self::Record(path))),
            Some(true) | None => Ok(Self::Ledger {
                reader: Ledger::read(&path)?,
                path,
                class: None,
            }),
        }
    }

    /// The ledger beside a class, a folder or an archive, if it knows that class.
    fn beside(path: &Path) -> anyhow::Result<Option<Self>> {
        let class = ledger::class_path(path)?;
        let beside = ledger::beside(&class);
        if !beside.is_file() {
            return Ok(None);
        }
        let reader = Ledger::read(&beside)?;
        let is_known = reader.history()?.iter().any(|run| run.class == class);
        Ok(is_known.then(|| Self::Ledger {
            reader,
            path: path.to_owned(),
            class: Some(class),
        }))
    }

    /// The ledger that is meant by a folder: the one beside the class, or else the one in the folder.
    fn of_class(folder: &Path) -> anyhow::Result<Self> {
        if let Some(known) = Self::beside(folder)? {
            return Ok(known);
        }
        let inside = folder.join(ledger::USUAL);
        if inside.is_file() {
            return Ok(Self::Ledger {
                reader: Ledger::read(&inside)?,
                path: inside,
                class: None,
            });
        }
        let beside = ledger::shortened(ledger::beside(&ledger::class_path(folder)?));
        let folder = escaped(folder.as_os_str().as_encoded_bytes());
        let beside = escaped(beside.as_os_str().as_encoded_bytes());
        Err(Mistake::new(
            format!(
                "no run of the class `{folder}` is kept: looked in `{beside}`; `grader grade` keeps one there, and \
                 another ledger is named by its file"
            ),
            format!(
                "没有班级 `{folder}` 的评测记录：查找了 `{beside}`；`grader grade` 会在那里保存，其他账本请直接指定文件"
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
            Self::Ledger { reader, .. } => {
                let run = match run {
                    Some(run) => run,
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
                let path = escaped(path.as_os_str().as_encoded_bytes());
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
        let runs = self.runs()?;
        let last = runs.last().map(|run| run.id);
        Ok(last
            .ok_or_else(|| Mistake::new("the ledger holds no run yet", "评测账本中还没有评测"))?)
    }

    /// Where it is, for messages.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Record(path) | Self::Ledger { path, .. } => path,
        }
    }
}

/// Whether a file is a database, by its first bytes; nothing where it cannot be read.
fn begins_as_sqlite(path: &Path) -> Option<bool> {
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(SQLITE.len() as u64)
        .read_to_end(&mut begin)
        .ok()?;
    // An empty file is a ledger in which nothing was written yet.
    Some(begin.is_empty() || begin == SQLITE)
}

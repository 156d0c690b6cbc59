//! Finding the ledger that holds the results of a class.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use grader_model::{
    AdjustmentKind, AllAttempts, Origin, ProblemId, ProblemResult, Results, RunSummary, SourceFile,
    StudentId,
};
use grader_store::Reader;

use crate::exit::Failure;
use crate::ledger;

/// A ledger, or the runs in it of one class.
pub(crate) struct StoredRuns {
    reader: Reader,
    /// As it was named.
    pub(crate) path: PathBuf,
    class: Option<PathBuf>,
    /// Whether the ledger itself was named, and not found.
    pub(crate) is_named: bool,
}

impl StoredRuns {
    /// What a source names: a ledger, a class that was graded, or a folder with a ledger. By default the ledger of the
    /// environment, or else the nearest one, in the current folder or above it.
    pub(crate) fn find(source: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = ledger::named(source) else {
            return Self::nearest();
        };
        if !path.is_dir() && (source.is_none() || !path.is_file()) {
            return Self::open(path);
        }
        let class = fs::canonicalize(&path)?;
        let ledgers = ledger::named(None).into_iter();
        let ledgers: Vec<PathBuf> = ledgers.chain([ledger::default_path(&class)]).collect();
        for ledger in ledgers.iter().filter(|ledger| ledger.is_file()) {
            let reader = Reader::open(ledger)?;
            if reader.history()?.iter().any(|run| run.class == class) {
                return Ok(Self {
                    reader,
                    path,
                    class: Some(class),
                    is_named: false,
                });
            }
        }
        if path.is_file() {
            return Self::open(path);
        }
        let inside = path.join(ledger::USUAL);
        if !inside.is_file() {
            return Err(no_runs(&path, &ledgers).into());
        }
        Ok(Self {
            is_named: false,
            ..Self::open(inside)?
        })
    }

    /// The ledger in the current folder, or the nearest one above it. If the current folder is a class in it, only that class's
    /// runs.
    fn nearest() -> anyhow::Result<Self> {
        let here = env::current_dir().and_then(fs::canonicalize)?;
        let path = ledger::upwards(&here).next();
        let mut found = Self::open(path.unwrap_or_else(|| PathBuf::from(ledger::USUAL)))?;
        found.is_named = false;
        let mut runs = found.reader.history()?.into_iter();
        found.class = runs.any(|run| run.class == here).then_some(here);
        Ok(found)
    }

    /// All runs of a ledger.
    pub(crate) fn open(path: PathBuf) -> anyhow::Result<Self> {
        Ok(Self {
            reader: Reader::open(&path)?,
            path,
            class: None,
            is_named: true,
        })
    }

    /// The file of the ledger.
    pub(crate) fn ledger(&self) -> PathBuf {
        ledger::shortened(self.reader.path().to_owned())
    }

    /// A run by its number, or the last one that has results.
    pub(crate) fn run(&self, id: Option<u64>) -> anyhow::Result<RunSummary> {
        let mut runs = self.runs()?.into_iter();
        let found = runs.rfind(|run| id.map_or(has_results(run), |id| run.id == id));
        let source = self.path.display();
        let missing = || match id {
            Some(id) => format!("`{source}` has no run {id}: `grader history` lists its runs"),
            None => "the ledger holds no results yet".to_owned(),
        };
        Ok(found.ok_or_else(|| Failure::usage(missing()))?)
    }

    pub(crate) fn results(&self, run: &RunSummary) -> anyhow::Result<Results> {
        Ok(self.reader.results(run.id)?)
    }

    /// The sources that were judged for a problem of a student: in the run of these results, or if an earlier attempt
    /// counts, in that one's.
    pub(crate) fn sources(
        &self,
        results: &Results,
        student: &StudentId,
        problem: &ProblemId,
    ) -> io::Result<Vec<SourceFile>> {
        let found = results.students.iter().find(|it| it.id == *student);
        let found = found.and_then(|student| student.problem(problem));
        let is_attempt = |it: &&ProblemResult| {
            let mut kinds = it.adjustments.iter().map(|it| it.kind);
            kinds.any(|kind| kind == AdjustmentKind::Attempt)
        };
        let run = match (found.filter(is_attempt), &results.run) {
            (
                Some(ProblemResult {
                    origin: Some(Origin::Reused { run }),
                    ..
                }),
                _,
            ) => *run,
            (_, Some(run)) => run.id,
            (_, None) => return Ok(Vec::new()),
        };
        let sources = self.reader.sources(run, student, problem);
        sources.map_err(io::Error::other)
    }

    /// The submissions that this run and earlier ones of its class judged.
    pub(crate) fn attempts(&self, run: u64) -> anyhow::Result<AllAttempts> {
        Ok(self.reader.attempts(run)?)
    }

    /// Whether a run graded the work of one student.
    pub(crate) fn is_of_one_student(&self, run: &RunSummary) -> anyhow::Result<bool> {
        Ok(self.reader.is_of_one_student(run.id)?)
    }

    /// How many results of a run were judged with another version of their problem.
    pub(crate) fn outdated(&self, run: u64) -> anyhow::Result<usize> {
        Ok(self.reader.outdated(run)?)
    }

    /// The files that were built with every submission for a problem.
    pub(crate) fn included(
        &self,
        results: &Results,
        problem: &ProblemId,
    ) -> io::Result<Vec<SourceFile>> {
        let included = results
            .run
            .as_ref()
            .map(|run| self.reader.included(run.id, problem));
        let included = included.transpose().map_err(io::Error::other)?;
        Ok(included.unwrap_or_default())
    }

    /// The runs, the earliest first.
    pub(crate) fn runs(&self) -> anyhow::Result<Vec<RunSummary>> {
        let mut runs = self.reader.history()?;
        if let Some(class) = &self.class {
            runs.retain(|run| run.class == *class);
        }
        Ok(runs)
    }
}

/// Whether a run came as far as to know its students.
pub(crate) const fn has_results(run: &RunSummary) -> bool {
    run.students > 0
}

/// Whether a run is of all students of a class, not of one shard.
pub(crate) fn is_whole_class(run: &RunSummary) -> bool {
    run.shard.as_deref().is_none_or(|shard| shard == "merged")
}

fn no_runs(class: &Path, ledgers: &[PathBuf]) -> Failure {
    let ledgers = ledgers.iter().map(|path| format!("`{}`", path.display()));
    let ledgers = ledgers.collect::<Vec<_>>().join(" or ");
    Failure::usage(format!(
        "no run of the class `{}` is stored in {ledgers}; to read another ledger, give its path",
        class.display()
    ))
}

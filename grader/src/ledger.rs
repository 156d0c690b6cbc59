//! The ledger of a class: where it is, that it can be had, and what is said when it fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, io};

use grader_judge::{Done, JobKey, JobName, KeptRun, Memory, MemoryError, Remembered};
use grader_model::{AssignmentId, Event, Lang, RunInfo, Sink, Text};
use grader_report::AboveBar;
use grader_store::{BeginRun, Ledger, LedgerError, LedgerFault, Run, RunSink};

use crate::cli::LedgerArgs;
use crate::exit::{self, Mistake};

/// The variable that names the ledger where no option does.
const VARIABLE: &str = "GRADER_LEDGER";
/// Where the ledger is in the folder that a class lies in.
pub(crate) const USUAL: &str = ".grader/ledger.db";

/// The ledger that an option names, or else the environment.
pub(crate) fn named(option: Option<&Path>) -> Option<PathBuf> {
    let variable = || env::var_os(VARIABLE).filter(|value| !value.is_empty());
    option
        .map(Path::to_owned)
        .or_else(|| variable().map(PathBuf::from))
}

/// The ledger beside a class.
pub(crate) fn beside(class: &Path) -> PathBuf {
    let folder = class.parent().unwrap_or(class);
    folder.join(USUAL)
}

/// The path of a class by which its runs belong together.
pub(crate) fn class_path(class: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(class)
}

/// Begins a run in the ledger of a class, or goes on with one that was not finished; nothing where none is wanted.
pub(crate) fn begin(
    args: &LedgerArgs,
    class: &Path,
    assignment: &AssignmentId,
) -> anyhow::Result<Option<Run>> {
    if args.no_ledger {
        return Ok(None);
    }
    let class = class_path(class)?;
    let named = named(args.ledger.as_deref());
    let path = named.unwrap_or_else(|| shortened(beside(&class)));
    let begun = Ledger::open(&path, &class).and_then(|ledger| {
        ledger.begin(&BeginRun {
            class,
            assignment: assignment.clone(),
            grader: env!("CARGO_PKG_VERSION").to_owned(),
            fresh: args.fresh,
        })
    });
    begun.map(Some).map_err(advised)
}

/// The path from where we are, if it leads there: the shorter one to read.
pub(crate) fn shortened(path: PathBuf) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let below = here.ok().and_then(|here| {
        let below = path.strip_prefix(here).ok()?;
        Some(below.to_owned())
    });
    below.unwrap_or(path)
}

/// What can be done where there is no writing: nothing has run yet, and another place may do.
fn advised(error: LedgerError) -> anyhow::Error {
    if !matches!(error.why, LedgerFault::Io(_)) {
        return error.into();
    }
    let Text { en, zh } = error.text();
    Mistake::new(
        format!("{en}\nname another file with `--ledger FILE`, or keep nothing with `--no-ledger`"),
        format!("{zh}\n请用 `--ledger FILE` 指定其他文件，或用 `--no-ledger` 不保存"),
    )
    .into()
}

/// Says at once, and once, that the ledger fails; remembers that it did.
#[derive(Clone)]
pub(crate) struct Alarm {
    failed: Arc<AtomicBool>,
    above: AboveBar,
    lang: Lang,
}

impl Alarm {
    pub(crate) fn new(above: AboveBar, lang: Lang) -> Self {
        Self {
            failed: Arc::default(),
            above,
            lang,
        }
    }

    /// Whether something could not be kept, or not be read.
    pub(crate) fn rang(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    fn ring(&self, error: &dyn std::error::Error) {
        if self.failed.swap(true, Ordering::SeqCst) {
            return;
        }
        let Text { en, zh } = exit::chain(error);
        let en = format!("the ledger fails, and grading goes on without it: {en}");
        let zh = format!("评测账本出错，评测继续但不再保存：{zh}");
        let words = self.lang.pick(en, zh);
        self.above.suspend(|| {
            // Without a terminal there is nobody to tell.
            let _ = io::Write::write_fmt(
                &mut io::stderr(),
                format_args!("{}\n", grader_model::escaped(words.as_bytes())),
            );
        });
    }

    fn heard<T, E: std::error::Error>(&self, result: Result<T, E>) -> Result<T, E> {
        if let Err(error) = &result {
            self.ring(error);
        }
        result
    }
}

/// A run of the ledger as the judge's memory, with an alarm.
pub(crate) struct Watched {
    run: Run,
    /// Whether it was asked that nothing earlier be taken.
    fresh: bool,
    alarm: Alarm,
}

impl Watched {
    pub(crate) const fn new(run: Run, fresh: bool, alarm: Alarm) -> Self {
        Self { run, fresh, alarm }
    }
}

impl Memory for Watched {
    fn run(&self) -> Option<RunInfo> {
        self.run.run()
    }

    fn recall(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<Remembered>, MemoryError> {
        self.alarm.heard(self.run.recall(job, key))
    }

    fn runs(&self, job: JobName<'_>, run: u64) -> Result<Vec<KeptRun>, MemoryError> {
        self.alarm.heard(self.run.runs(job, run))
    }

    fn keep(&self, job: JobName<'_>, done: &Done) -> Result<(), MemoryError> {
        self.alarm.heard(self.run.keep(job, done))
    }

    fn keep_all(&self, jobs: &[(JobName<'_>, &Done)]) -> Result<(), MemoryError> {
        // What fails together is kept one by one: then it will be heard.
        self.run.keep_all(jobs)
    }

    fn is_fresh(&self) -> bool {
        self.fresh || self.run.is_fresh()
    }
}

/// What no job says, into the ledger, with an alarm.
pub(crate) struct WatchedSink {
    sink: RunSink,
    alarm: Alarm,
}

impl WatchedSink {
    pub(crate) fn new(run: &Run, alarm: Alarm) -> Self {
        Self {
            sink: run.sink(),
            alarm,
        }
    }
}

impl Sink for WatchedSink {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.alarm.heard(self.sink.event(event))
    }
}

//! The ledger of a class: where it is, that it can be had, and what is said when it fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, io};

use grader_judge::{CacheError, JobKey, JobName, JobResult, ResultCache, StoredResult};
use grader_model::{AssignmentId, Event, EventKind, Lang, RunInfo, Sink, Text};
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

/// A ledger that this process alone writes, in which no run has begun yet.
pub(crate) struct Opened {
    ledger: Ledger,
    wanted: BeginRun,
}

/// Opens the ledger of a class, or says who has it; nothing where none is wanted.
pub(crate) fn open(
    args: &LedgerArgs,
    class: &Path,
    assignment: &AssignmentId,
) -> anyhow::Result<Option<Opened>> {
    if args.no_ledger {
        return Ok(None);
    }
    let class = class_path(class)?;
    let named = named(args.ledger.as_deref());
    let path = named.unwrap_or_else(|| shortened(beside(&class)));
    let ledger = Ledger::open(&path, &class).map_err(advised)?;
    Ok(Some(Opened {
        ledger,
        wanted: BeginRun {
            class,
            assignment: assignment.clone(),
            grader: env!("CARGO_PKG_VERSION").to_owned(),
            fresh: args.fresh,
        },
    }))
}

impl Opened {
    /// Begins a run, or goes on with one that was not finished.
    pub(crate) fn begin(self) -> anyhow::Result<Run> {
        self.ledger.begin(&self.wanted).map_err(advised)
    }
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

/// Says at once, and once, that the ledger cannot be written, or not be read; remembers that it did.
#[derive(Clone)]
pub(crate) struct Alarm {
    unkept: Arc<AtomicBool>,
    unread: Arc<AtomicBool>,
    above: AboveBar,
    lang: Lang,
}

impl Alarm {
    pub(crate) fn new(above: AboveBar, lang: Lang) -> Self {
        Self {
            unkept: Arc::default(),
            unread: Arc::default(),
            above,
            lang,
        }
    }

    /// Whether something could not be kept, or not be read.
    pub(crate) fn rang(&self) -> bool {
        self.is_unkept() || self.unread.load(Ordering::SeqCst)
    }

    /// Whether something could not be kept.
    pub(crate) fn is_unkept(&self) -> bool {
        self.unkept.load(Ordering::SeqCst)
    }

    fn written<T, E: std::error::Error + 'static>(&self, result: Result<T, E>) -> Result<T, E> {
        if let Err(error) = &result
            && !self.unkept.swap(true, Ordering::SeqCst)
        {
            let Text { en, zh } = said(error);
            self.say(&Text::new(
                format!("grading goes on, but not all of it is kept: {en}"),
                format!("评测继续，但部分结果无法保存：{zh}"),
            ));
        }
        result
    }

    fn read<T, E: std::error::Error + 'static>(&self, result: Result<T, E>) -> Result<T, E> {
        if let Err(error) = &result
            && !self.unread.swap(true, Ordering::SeqCst)
        {
            let Text { en, zh } = said(error);
            self.say(&Text::new(
                format!("what cannot be read of earlier runs is judged anew, and kept: {en}"),
                format!("无法读取的旧结果将重新评测并保存：{zh}"),
            ));
        }
        result
    }

    fn say(&self, text: &Text) {
        let words = text.get(self.lang);
        self.above.suspend(|| {
            // Without a terminal there is nobody to tell.
            let _ = io::Write::write_fmt(
                &mut io::stderr(),
                format_args!("{}\n", grader_model::escaped(words.as_bytes())),
            );
        });
    }
}

/// What the ledger itself says of a failure, in both languages where it does.
fn said(error: &(dyn std::error::Error + 'static)) -> Text {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    let text = causes.find_map(|cause| {
        // An error of a sink holds the ledger's within.
        let within = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        let within = within.and_then(|within| within.downcast_ref::<LedgerError>());
        let error = cause.downcast_ref::<LedgerError>().or(within)?;
        Some(error.text())
    });
    text.unwrap_or_else(|| exit::chain(error))
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

impl ResultCache for Watched {
    fn run(&self) -> Option<RunInfo> {
        self.run.run()
    }

    fn find(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, CacheError> {
        self.alarm.read(self.run.find(job, key))
    }

    fn store(&self, job: JobName<'_>, done: &JobResult) -> Result<(), CacheError> {
        self.alarm.written(self.run.store(job, done))
    }

    fn store_all(&self, jobs: &[(JobName<'_>, &JobResult)]) -> Result<(), CacheError> {
        // If it fails, each job is stored by itself, and the alarm rings then.
        self.run.store_all(jobs)
    }

    fn is_fresh(&self) -> bool {
        self.fresh || self.run.is_fresh()
    }
}

/// What no job says, into the ledger, with an alarm.
pub(crate) struct WatchedSink {
    sink: RunSink,
    /// Whether it took everything so far.
    is_whole: bool,
    alarm: Alarm,
}

impl WatchedSink {
    pub(crate) fn new(run: &Run, alarm: Alarm) -> Self {
        Self {
            sink: run.sink(),
            is_whole: true,
            alarm,
        }
    }
}

impl Sink for WatchedSink {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // A run that lacks something is not finished: the next `grade` goes on with it.
        if !self.is_whole && matches!(event.kind, EventKind::RunFinished { .. }) {
            return Ok(());
        }
        // It was said; what comes later may be kept.
        self.is_whole &= self.alarm.written(self.sink.event(event)).is_ok();
        Ok(())
    }
}

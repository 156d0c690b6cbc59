//! A judge with the runner and the references of this binary.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use anyhow::Context as _;
use clap::Args;
use grader_judge::{AuthorCache, Judge, Part, ResultCache, Scratch, Settings, Stop};
use grader_kit::remarks::without_pypy;
use grader_language::Command;
use grader_model::{Isolation, IsolationLevel, Text};
use grader_problem::Assignment;
use grader_report::AboveBar;
use grader_sandbox::{ClaimedCores, Cores, Runner};

use crate::interrupt;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::scaled_clock::{self, ScaledClock};
use crate::terminal::Terminal;

/// A folder by which graders share out cores, in place of this machine's: for containers that have it in common, and for
/// tests.
const LOCKS: &str = "BITCRAFT_CORE_LOCKS";

/// How many programs run at a time.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Programs to run in parallel [default: one per core]
    ///
    /// Each has a physical core of its own as long as there are enough. A CPU quota lowers the default.
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// The settings of a judge that runs every case and stores nothing, with a worker for each core unless `jobs` is given.
pub(crate) fn settings(
    runner: Arc<dyn Runner>,
    jobs: Option<NonZeroUsize>,
    stop: &Stop,
    terminal: &Terminal,
) -> anyhow::Result<Settings> {
    let this = env::current_exe().context("cannot find the grader's own program file")?;
    let runner = match scaled_clock::scale()? {
        Some(scale) => Arc::new(ScaledClock { runner, scale }),
        None => runner,
    };
    let cores = Cores::here();
    let workers = jobs.map_or_else(|| cores.workers(), NonZeroUsize::get);
    let all = cores.order().len();
    if (1..workers).contains(&all) {
        terminal.note(
            format!("`--jobs {workers}` is more than the {all} cores here: programs share cores, so times are less fair"),
            format!("`--jobs {workers}` 超过本机的 {all} 个核心：程序共用核心，计时不够公平"),
        );
    }
    let ClaimedCores { cores, are_shared } =
        cores.claim(workers, env::var_os(LOCKS).as_deref().map(Path::new));
    if are_shared {
        terminal.note(
            "another grader uses the cores of this machine: programs share them, so times are less fair",
            "本机的核心正被另一个 grader 使用：程序共用核心，计时不够公平",
        );
    }
    Ok(Settings {
        runner,
        builtin: Arc::new(move |name: &str| Command {
            program: this.clone(),
            arguments: vec!["reference".into(), name.into()],
            environment: Vec::new(),
        }),
        cores,
        shares_cores: are_shared,
        workers,
        overlaps: true,
        stops_early: false,
        explains_undefined: false,
        stop: stop.clone(),
        cache: None,
        author_cache: None,
        fresh_authors: false,
        kept_builds: None,
        part: Part::default(),
        grader: String::new(),
    })
}

/// The folder of authors' programs and verified problems.
const AUTHOR_CACHE: &str = "bitcraft";
/// The folder of classes' programs. A large class must not displace those.
const KEPT_BUILDS: &str = "bitcraft-class";

/// Says what it means that PyPy is missing, if problems ask for it.
pub(crate) fn say_without_pypy(assignment: &Assignment, terminal: &Terminal) {
    if let Some(Text { en, zh }) = without_pypy(assignment) {
        terminal.warn(format!("warning: {en}"), format!("警告：{zh}"));
    }
}

/// A judge of an author's own programs, which are recompiled if `fresh`. The first Ctrl-C requests a [`Stop`], which ends them.
pub(crate) fn of_author(
    isolation: &IsolationArgs,
    jobs: Option<NonZeroUsize>,
    fresh: bool,
    above: Option<AboveBar>,
    terminal: &Terminal,
) -> anyhow::Result<(Judge, Stop)> {
    let runner = isolation::runner(isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let isolation = runner.isolation();
    let mut settings = settings(runner, jobs, &stop, terminal)?;
    // Without a sandbox, programs could write to it.
    if !fresh && isolation.level == IsolationLevel::Strict && scaled_clock::scale()?.is_none() {
        settings.author_cache = author_cache(AUTHOR_CACHE, &isolation);
    }
    Ok((stoppable(settings, above, terminal)?, stop))
}

/// The programs of classes that were built, for searches. Grading only writes them, so that no points depend on them.
pub(crate) fn kept_builds(settings: &Settings) -> anyhow::Result<Option<AuthorCache>> {
    let isolation = settings.runner.isolation();
    // As above.
    let is_safe = isolation.level == IsolationLevel::Strict && scaled_clock::scale()?.is_none();
    Ok(is_safe
        .then(|| author_cache(KEPT_BUILDS, &isolation))
        .flatten())
}

/// A judge whose programs end with the first Ctrl-C.
pub(crate) fn stoppable(
    settings: Settings,
    above: Option<AboveBar>,
    terminal: &Terminal,
) -> anyhow::Result<Judge> {
    let scratch = Scratch::new()?;
    let listener = interrupt::listen(&settings.stop, scratch.path(), above, terminal.lang)?;
    listener.programs_run(None);
    Ok(Judge::with_scratch(settings, scratch))
}

/// A build cache with this name, in the user's cache folder.
fn author_cache(name: &str, isolation: &Isolation) -> Option<AuthorCache> {
    let folder = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|it| it.is_absolute())
    };
    // Either may be missing on a fresh machine; the basedir specification asks for the folder to be made. A home folder that is
    // missing stays so.
    let named = || folder("XDG_CACHE_HOME").inspect(|it| drop(fs::create_dir_all(it)));
    let of_home = || Some(folder("HOME")?.join(".cache")).inspect(|it| drop(fs::create_dir(it)));
    let caches = named().or_else(of_home)?;
    AuthorCache::open(&caches, name, isolation)
}

/// Stores results in a cache, unless the clock is scaled: such times would mislead the next run.
pub(crate) fn use_cache(
    settings: &mut Settings,
    cache: Arc<dyn ResultCache>,
) -> anyhow::Result<()> {
    if scaled_clock::scale()?.is_none() {
        let mut hasher = blake3::Hasher::new();
        let program = env::current_exe().and_then(fs::File::open);
        program
            .and_then(|program| hasher.update_reader(program).map(drop))
            .context("cannot read the grader's own program file")?;
        settings.grader = hasher.finalize().to_hex().to_string();
        settings.cache = Some(cache);
    }
    Ok(())
}

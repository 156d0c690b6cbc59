//! A judge with the runner and the references of this binary.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use anyhow::Context as _;
use clap::Args;
use grader_judge::{Judge, ResultCache, Scratch, Settings, Stop};
use grader_language::Command;
use grader_report::AboveBar;
use grader_sandbox::{Cores, Runner};

use crate::interrupt::{self, Listener};
use crate::scaled_clock::{self, ScaledClock};
use crate::terminal::Terminal;

/// How many programs run at a time.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Number of programs that run at a time, each on a core of its own while there are enough [default: one
    /// for each physical core, but no more than a quota of CPU time allows].
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// What a judge works with.
pub(crate) struct Tools<'a> {
    pub(crate) runner: Arc<dyn Runner>,
    /// Programs at a time; by default one on each physical core.
    pub(crate) workers: Option<NonZeroUsize>,
    /// Whether the next submission is built while a program runs.
    pub(crate) overlaps: bool,
    /// Whether to skip the cases that somebody who waits need not see: see [`Settings::stops_early`].
    pub(crate) stops_early: bool,
    pub(crate) stop: &'a Stop,
    /// Where messages are written while a bar is drawn.
    pub(crate) above: Option<AboveBar>,
}

impl<'a> Tools<'a> {
    /// A worker for each core, all of which judge every case.
    pub(crate) const fn new(runner: Arc<dyn Runner>, stop: &'a Stop) -> Self {
        Self {
            runner,
            workers: None,
            overlaps: true,
            stops_early: false,
            stop,
            above: None,
        }
    }
}

/// A judge with a temporary folder of its own. Ctrl-C ends the process until the listener knows that programs run.
pub(crate) fn judge(tools: Tools<'_>, terminal: &Terminal) -> anyhow::Result<(Judge, Listener)> {
    let scratch = Scratch::new()?;
    let (stop, above) = (tools.stop, tools.above.clone());
    let listener = interrupt::listen(stop, scratch.path(), above, terminal.lang())?;
    Ok((judge_in(scratch, tools, None, terminal)?, listener))
}

/// A judge that works in this folder, stores results in this cache, and leaves Ctrl-C to its caller.
pub(crate) fn judge_in(
    scratch: Scratch,
    tools: Tools<'_>,
    cache: Option<Arc<dyn ResultCache>>,
    terminal: &Terminal,
) -> anyhow::Result<Judge> {
    let this = env::current_exe().context("cannot find the grader's own program file")?;
    let (mut tools, mut cache) = (tools, cache);
    if let Some(scale) = scaled_clock::scale()? {
        // Scaled times would mislead the next run.
        cache = None;
        tools.runner = Arc::new(ScaledClock {
            runner: tools.runner,
            scale,
        });
    }
    let cores = Cores::here();
    let workers = tools
        .workers
        .map_or_else(|| cores.workers(), NonZeroUsize::get);
    let all = cores.order().len();
    if (1..workers).contains(&all) {
        writeln!(
            terminal.stderr(),
            "`--jobs {workers}` is more than the cores here ({all}): programs share them, and times are less fair"
        )?;
    }
    let grader = match &cache {
        Some(_) => identity(&this).context("cannot read the grader's own program file")?,
        None => String::new(),
    };
    let settings = Settings {
        runner: tools.runner,
        builtin: Arc::new(move |name: &str| builtin(&this, name)),
        cores: cores.claim(workers),
        workers,
        overlaps: tools.overlaps,
        stops_early: tools.stops_early,
        stop: tools.stop.clone(),
        cache,
        grader,
    };
    Ok(Judge::with_scratch(settings, scratch))
}

/// The hash of the grader's program file.
fn identity(grader: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(grader)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn builtin(grader: &Path, name: &str) -> Command {
    Command {
        program: PathBuf::from(grader),
        arguments: vec!["reference".into(), name.into()],
        environment: Vec::new(),
    }
}

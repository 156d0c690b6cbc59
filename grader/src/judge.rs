//! A judge with the runner and the references of this binary.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use anyhow::Context as _;
use grader_judge::{Judge, ResultCache, Scratch, Settings, Stop};
use grader_language::Command;
use grader_report::AboveBar;
use grader_sandbox::{Cores, Runner};

use crate::interrupt;
use crate::scaled_clock::{self, ScaledClock};
use crate::terminal::Terminal;

/// What a judge needs.
pub(crate) struct Tools<'a> {
    pub(crate) runner: Arc<dyn Runner>,
    /// Programs at a time; by default one on each physical core.
    pub(crate) workers: Option<NonZeroUsize>,
    /// Whether the next submission is built while a program runs.
    pub(crate) overlaps: bool,
    pub(crate) stop: &'a Stop,
    /// Prints above the progress bar, if there is one.
    pub(crate) above: Option<AboveBar>,
}

/// A judge with a temporary folder of its own, which stops on Ctrl-C.
pub(crate) fn judge(tools: Tools<'_>, terminal: &Terminal) -> anyhow::Result<Judge> {
    let scratch = Scratch::new()?;
    let (stop, above) = (tools.stop, tools.above.clone());
    let listener = interrupt::listen(stop, scratch.path(), above, terminal.lang())?;
    let judge = judge_in(scratch, tools, None, terminal)?;
    listener.programs_run(None);
    Ok(judge)
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
        let (en, zh) = (
            format!(
                "`--jobs {workers}` is more than the cores here ({all}): programs share them, and times are less fair"
            ),
            format!("`--jobs {workers}` 多于这里的核心数（{all}）：程序共用核心，计时会不够公平"),
        );
        writeln!(terminal.stderr(), "{}", terminal.lang().pick(en, zh))?;
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
        stop: tools.stop.clone(),
        cache,
        grader,
    };
    Ok(Judge::with_scratch(settings, scratch))
}

/// A hash of this program's file: results of another grader are not reused.
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

//! A judge with the runner and the references of this binary.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use std::{env, fs, io};

use anyhow::Context as _;
use grader_judge::{Calibrations, Judge, Memory, Scratch, Settings, Stop};
use grader_language::Command;
use grader_model::Text;
use grader_report::AboveBar;
use grader_sandbox::{Cores, Runner};

use crate::cli::CalibrationArgs;
use crate::interrupt;
use crate::scaled_clock::{self, ScaledClock};
use crate::terminal::Terminal;

/// What a judge works with.
pub(crate) struct Tools<'a> {
    pub(crate) runner: Arc<dyn Runner>,
    /// Programs at a time; by default one on each physical core.
    pub(crate) workers: Option<NonZeroUsize>,
    /// Whether the next submission is built while a program runs.
    pub(crate) overlaps: bool,
    pub(crate) stop: &'a Stop,
    /// Without it every measurement is its own, and nothing is kept.
    pub(crate) calibration: Option<CalibrationArgs>,
    /// Where something is said while a bar is drawn.
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

/// A judge that works in this folder, keeps results in this memory, and leaves Ctrl-C to its caller.
pub(crate) fn judge_in(
    scratch: Scratch,
    tools: Tools<'_>,
    memory: Option<Arc<dyn Memory>>,
    terminal: &Terminal,
) -> anyhow::Result<Judge> {
    let this = env::current_exe().context("cannot find the grader's own program file")?;
    let (mut tools, mut memory) = (tools, memory);
    if let Some(scale) = scaled_clock::scale()? {
        // Scaled times would mislead the next run.
        tools.calibration = None;
        memory = None;
        tools.runner = Arc::new(ScaledClock {
            runner: tools.runner,
            scale,
        });
    }
    let calibrations = tools
        .calibration
        .and_then(|args| calibrations(&this, args, tools.above.clone(), terminal));
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
    // Only a memory asks which grader it was.
    let grader = match &memory {
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
        calibrations,
        memory,
        grader,
    };
    Ok(Judge::with_scratch(settings, scratch))
}

/// Where calibrations are kept. Nothing where there is no home, or this program cannot be told from another one.
fn calibrations(
    grader: &Path,
    args: CalibrationArgs,
    above: Option<AboveBar>,
    terminal: &Terminal,
) -> Option<Calibrations> {
    let absolute = |name: &str| {
        let path = env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    let meta = fs::metadata(grader).ok()?;
    let changed = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let lang = terminal.lang();
    Some(Calibrations {
        folder: cache.join("bitcraft"),
        fresh: args.fresh_calibration,
        grader: format!(
            "{} {} {}",
            env!("CARGO_PKG_VERSION"),
            meta.len(),
            changed.as_nanos()
        ),
        warn: Arc::new(move |text: &Text| {
            // Without a terminal there is nobody to tell.
            let say = || {
                let _ = writeln!(std::io::stderr(), "{}", text.get(lang));
            };
            match &above {
                Some(above) => above.suspend(say),
                None => say(),
            }
        }),
    })
}

/// What tells this program from every other: the hash of its file.
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

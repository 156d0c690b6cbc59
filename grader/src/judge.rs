//! A judge with the runner and the references of this binary.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use std::{env, fs};

use anyhow::Context as _;
use grader_judge::{Calibrations, Judge, Settings, Stop};
use grader_language::Command;
use grader_model::Text;
use grader_report::AboveBar;
use grader_sandbox::{Cores, Runner};

use crate::cli::CalibrationArgs;
use crate::interrupt;
use crate::terminal::Terminal;

/// A judge that runs so many programs at a time by this runner (by default one on each physical core), and stops on
/// Ctrl-C. `above` is where that is said while a bar is drawn. Without `calibration` every measurement is its own, and
/// nothing is kept.
pub(crate) fn judge(
    runner: Arc<dyn Runner>,
    workers: Option<NonZeroUsize>,
    stop: &Stop,
    calibration: Option<CalibrationArgs>,
    above: Option<AboveBar>,
    terminal: &Terminal,
) -> anyhow::Result<Judge> {
    let this = env::current_exe().context("cannot find the grader's own program file")?;
    let calibrations =
        calibration.and_then(|args| calibrations(&this, args, above.clone(), terminal));
    let cores = Cores::here();
    let workers = workers.map_or_else(|| cores.workers(), NonZeroUsize::get);
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
    let judge = Judge::new(Settings {
        runner,
        builtin: Arc::new(move |name: &str| builtin(&this, name)),
        cores: cores.claim(workers),
        workers,
        stop: stop.clone(),
        calibrations,
        memory: None,
        grader: String::new(),
    })?;
    interrupt::listen(stop, judge.folder(), above, terminal.lang())?;
    Ok(judge)
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

fn builtin(grader: &Path, name: &str) -> Command {
    Command {
        program: PathBuf::from(grader),
        arguments: vec!["reference".into(), name.into()],
        environment: Vec::new(),
    }
}

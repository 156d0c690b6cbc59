//! A judge with the runner and the references of this binary.

use std::env;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use grader_judge::{Judge, Settings, Stop};
use grader_language::Command;
use grader_report::AboveBar;
use grader_sandbox::{Cores, Runner};

use crate::interrupt;
use crate::terminal::Terminal;

/// A judge that runs so many programs at a time by this runner (by default one on each physical core), and stops on Ctrl-C. `above` is where that is
/// said while a bar is drawn.
pub(crate) fn judge(
    runner: Arc<dyn Runner>,
    workers: Option<NonZeroUsize>,
    stop: &Stop,
    above: Option<AboveBar>,
    terminal: &Terminal,
) -> anyhow::Result<Judge> {
    let this = env::current_exe().context("cannot find the grader's own program file")?;
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
    })?;
    interrupt::listen(stop, judge.folder(), above, terminal.lang())?;
    Ok(judge)
}

fn builtin(grader: &std::path::Path, name: &str) -> Command {
    Command {
        program: PathBuf::from(grader),
        arguments: vec!["reference".into(), name.into()],
        environment: Vec::new(),
    }
}

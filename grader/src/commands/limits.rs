//! `grader limits`.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use grader_judge::{LimitsOptions, ProblemSamples, Stop};
use grader_model::{LimitUnit, LimitsReport};
use grader_problem::{TimeValue, with_time};
use grader_report::{Progress, atomic_write, limits};

use crate::assignment::{self, ProblemPlace};
use crate::cli::LimitsArgs;
use crate::exit::{Diagnosed, Exit, Mistake};
use crate::isolation::{self, Programs};
use crate::judge::{self, Tools};
use crate::terminal::Terminal;

pub(crate) fn run(args: &LimitsArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let ProblemPlace { place, file } = assignment::problem(&args.problem)?;
    let target = match (&file, args.write) {
        (_, false) => None,
        (Some(file), true) => Some(file.as_path()),
        (None, true) => return Err(bundled(&args.problem).into()),
    };
    let assignment = place.load_whole(terminal)?;
    let Some(entry) = assignment.problems.first() else {
        anyhow::bail!("an assignment of one problem has none");
    };
    let loaded = place.samples(&entry.problem);
    if !loaded.diagnostics.is_empty() {
        return Err(Diagnosed(assignment::shown(&loaded.diagnostics, terminal)).into());
    }
    let samples = loaded.value.unwrap_or_default();
    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    // One program at a time: another beside it would be measured too.
    let judge = judge::judge(
        Tools {
            runner,
            workers: std::num::NonZeroUsize::new(1),
            overlaps: false,
            stop: &stop,
            calibration: None,
            above: Some(progress.above()),
        },
        terminal,
    )?;
    let options = LimitsOptions {
        pass_margin: args.pass_margin,
        fail_margin: args.fail_margin,
        runs: args.runs.get(),
    };
    let samples = ProblemSamples {
        entry,
        samples: &samples,
        // They say nothing about time.
        mutants: Vec::new(),
    };
    let Some(report) = judge.limits(&assignment, &samples, &options, &mut progress) else {
        return Ok(Exit::Interrupted);
    };
    let text = limits(&report, &terminal.style());
    terminal.stdout().write_all(text.as_bytes())?;
    if report.has_faults() {
        return Ok(Exit::Fault);
    }
    if report.holds() {
        return Ok(Exit::Done);
    }
    match (target, report.suggestion) {
        (Some(file), Some(value)) if report.mismatches.is_empty() => {
            mend(file, value, &report, terminal)?;
            Ok(Exit::Done)
        }
        (None, Some(_)) if report.mismatches.is_empty() && file.is_some() => {
            writeln!(
                terminal.stdout(),
                "{}",
                terminal.lang().pick(
                    "--write puts the suggested value into the problem file",
                    "--write 会把建议值写入题目文件",
                )
            )?;
            Ok(Exit::Unmet)
        }
        _ => Ok(Exit::Unmet),
    }
}

/// Writes the suggested value into the problem file.
fn mend(file: &Path, value: f64, report: &LimitsReport, terminal: &Terminal) -> anyhow::Result<()> {
    let shown = file.display().to_string();
    let refused = |cause: &dyn std::fmt::Display| {
        Mistake::new(
            format!("cannot change `{shown}`: {cause}"),
            format!("无法修改 `{shown}`：{cause}"),
        )
    };
    let value = match report.unit {
        LimitUnit::Factor => TimeValue::Factor(value),
        LimitUnit::Seconds => TimeValue::Seconds(value),
    };
    let text = fs::read_to_string(file).map_err(|error| refused(&error))?;
    let changed = with_time(&text, value).map_err(|error| refused(&error))?;
    atomic_write(file, |out| out.write_all(changed.as_bytes()))?;
    let shown = grader_model::escaped(shown.as_bytes());
    writeln!(
        terminal.stdout(),
        "{}",
        terminal
            .lang()
            .pick(format!("changed `{shown}`"), format!("已修改 `{shown}`"),)
    )?;
    Ok(())
}

fn bundled(name: &str) -> Mistake {
    Mistake::new(
        format!(
            "`{name}` is inside this program and cannot be changed: --write needs the path of a problem's folder"
        ),
        format!("`{name}` 内置于本程序，无法修改：--write 需要题目文件夹的路径"),
    )
}

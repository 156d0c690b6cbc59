//! `grader verify`.

use std::io::Write as _;

use grader_judge::Stop;
use grader_model::Verification;
use grader_problem::{Diagnostic, Sample};
use grader_report::{Progress, verification, verification_json};

use crate::assignment::{self, Place};
use crate::cli::{VerifyArgs, VerifyFormat};
use crate::exit::{Diagnosed, Exit};
use crate::isolation::{self, Programs};
use crate::judge::{self, Tools};
use crate::terminal::Terminal;

pub(crate) fn run(args: &VerifyArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut places = Vec::new();
    for path in &args.paths {
        places.extend(assignment::on_disk(path)?);
    }
    if args.paths.is_empty() {
        places = assignment::usual()?;
    }
    // All mistakes of all files before anything runs.
    let mut inconsistent = Vec::new();
    let mut mistakes = Vec::new();
    let mut loaded = Vec::new();
    for place in &places {
        let (value, diagnostics) = load(place);
        for diagnostic in diagnostics {
            if diagnostic.is_inconsistency() {
                inconsistent.push(diagnostic);
            } else {
                mistakes.push(diagnostic);
            }
        }
        loaded.extend(value);
    }
    if !mistakes.is_empty() {
        mistakes.extend(inconsistent);
        return Err(Diagnosed(assignment::shown(&mistakes, terminal)).into());
    }

    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let judge = judge::judge(
        Tools {
            runner,
            workers: args.workers.jobs,
            overlaps: true,
            stop: &stop,
            above: Some(progress.above()),
        },
        terminal,
    )?;
    let mut all = Vec::new();
    for (assignment, samples) in &loaded {
        let Some(found) = judge.verify(assignment, samples, &mut progress) else {
            return Ok(Exit::Interrupted);
        };
        if args.format == VerifyFormat::Text {
            let text = verification(&found, &terminal.style(), args.verbose);
            terminal.stdout().write_all(text.as_bytes())?;
        }
        all.push(found);
    }
    if args.format == VerifyFormat::Json {
        verification_json(&all, &mut terminal.pipe())?;
    }
    if !inconsistent.is_empty() {
        writeln!(
            terminal.stderr(),
            "{}",
            assignment::shown(&inconsistent, terminal).trim_end()
        )?;
    }
    let holds = inconsistent.is_empty() && all.iter().all(Verification::holds);
    Ok(match (holds, all.iter().any(Verification::has_faults)) {
        (true, _) => Exit::Done,
        (false, false) => Exit::Unmet,
        (false, true) => Exit::Fault,
    })
}

/// An assignment with the samples of each of its problems, in order.
type WithSamples = (grader_problem::Assignment, Vec<Vec<Sample>>);

fn load(place: &Place) -> (Option<WithSamples>, Vec<Diagnostic>) {
    let loaded = place.load();
    let mut diagnostics = loaded.diagnostics;
    let value = loaded.value.map(|assignment| {
        let samples = assignment
            .problems
            .iter()
            .map(|entry| {
                let samples = place.samples(&entry.problem);
                diagnostics.extend(samples.diagnostics);
                samples.value.unwrap_or_default()
            })
            .collect();
        (assignment, samples)
    });
    (value, diagnostics)
}

//! `grader verify`.

use std::io::Write as _;

use grader_judge::{Judge, ProblemSamples, Stop, with_samples};
use grader_model::Verification;
use grader_problem::{Diagnostic, Sample};
use grader_report::{Progress, verification, verification_json};

use crate::assignment::{self, Place};
use crate::cli::{Format, VerifyArgs};
use crate::exit::{Diagnosed, Exit};
use crate::judge;
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

    let stop = Stop::new();
    let judge = judge::judge(args.workers.jobs, &stop, terminal)?;
    let mut holds = inconsistent.is_empty();
    let mut faults = false;
    for (assignment, samples) in &loaded {
        let problems = with_samples(assignment, samples);
        let Some(found) = verify(&judge, assignment, &problems, terminal) else {
            return Ok(Exit::Interrupted);
        };
        holds &= found.holds();
        faults |= found.has_faults();
        let mut out = terminal.stdout();
        match args.format {
            Format::Text => {
                out.write_all(verification(&found, &terminal.style(), args.verbose).as_bytes())?;
            }
            Format::Json => verification_json(&found, &mut out)?,
        }
    }
    if !inconsistent.is_empty() {
        writeln!(
            terminal.stderr(),
            "{}",
            assignment::shown(&inconsistent, terminal).trim_end()
        )?;
    }
    Ok(match (holds, faults) {
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

fn verify(
    judge: &Judge,
    assignment: &grader_problem::Assignment,
    problems: &[ProblemSamples<'_>],
    terminal: &Terminal,
) -> Option<Verification> {
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    judge.verify(assignment, problems, &mut progress)
}

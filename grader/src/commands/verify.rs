//! `grader verify`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Judge, KnownAnswers, VerifyOptions};
use grader_model::{ProblemVerification, SampleResult, Verdict, Verification, counted, escaped};
use grader_problem::{Entry, Sample};
use grader_report::{
    Finding, Progress, findings, terminal as draw, verification, verification_json,
};
use serde_json::Value;

use super::{FindingFormat, finding, mistake_json, write_findings};
use crate::assignment::{self, Location, WithSamples};
use crate::exit::Exit;
use crate::isolation::IsolationArgs;
use crate::judge::{self, WorkerArgs};
use crate::search::why::Explainer;
use crate::search::{seconds, space_or_note};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader verify problems/n-queens/count --verbose")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag on the command line"
)]
pub(crate) struct VerifyArgs {
    /// Assignments and problems: folders, or ids of bundled ones [default: here]
    ///
    /// The folder of an assignment or a problem, or one that holds assignments. The default is the `assignment.toml` in this
    /// folder, or the nearest one above it; else the `problem.toml` in this folder.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Run every case. By default, a sample stops as soon as its result is certain.
    #[arg(long)]
    all: bool,
    /// Skip problems that have not changed since they last passed.
    #[arg(long, conflicts_with = "fresh")]
    changed: bool,
    /// Also search for inputs on which samples marked `accepted` fail, up to SECONDS each [default: 5].
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "5",
        conflicts_with = "format", hide_short_help = true, value_parser = seconds)]
    audit: Option<u64>,
    /// Also feed broken inputs to validators, and broken answers to checkers.
    ///
    /// Inputs of cases and right answers are broken in a dozen ways: junk, text after the end, a NUL byte, huge numbers. Your
    /// programs must not fail on the result, a checker must not accept it, and a validator must not accept every input
    /// broken in the same way.
    #[arg(long, hide_short_help = true)]
    fuzz: bool,
    /// Ignore the build cache: compile every program, and keep none.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Also explain each sample's verdict, and list every unexpected result.
    #[arg(long, short)]
    verbose: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FindingFormat,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &VerifyArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    // All mistakes of all files are reported before anything runs.
    let loaded = match assignment::load_all(&args.paths)? {
        Ok(loaded) => loaded,
        Err(mistakes) => {
            let findings: Vec<Finding> = mistakes.iter().map(finding).collect();
            write_findings(args.format, "verify", &findings)?;
            if args.format == FindingFormat::Json {
                let mistakes: Vec<Value> = mistakes.iter().map(mistake_json).collect();
                verification_json(&[], &mistakes, false, &mut Terminal::pipe())?;
            }
            return Err(assignment::drawn(&mistakes, terminal).into());
        }
    };
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let (jobs, above) = (args.workers.jobs, Some(progress.above()));
    let (judge, stop) = judge::of_author(&args.isolation, jobs, args.fresh, above, terminal)?;
    let options = VerifyOptions {
        all: args.all,
        changed: args.changed,
        fuzz: args.fuzz,
    };
    let (mut all, mut wrong) = (Vec::new(), 0);
    for (assignment, samples, location) in &loaded {
        let found = judge.verify(assignment, samples, options, &mut progress);
        if stop.is_requested() {
            if args.format == FindingFormat::Json {
                all.push(found);
                verification_json(&all, &[], true, &mut Terminal::pipe())?;
            }
            return Ok(Exit::Interrupted);
        }
        if args.format == FindingFormat::Text {
            let text = verification(
                &found,
                &assignment.languages,
                &terminal.style(),
                args.verbose,
            );
            terminal.stdout().write_all(text.as_bytes())?;
        }
        if let Some(time) = args.audit.map(Duration::from_secs) {
            let problems = assignment.problems.iter().zip(samples);
            for ((entry, samples), found) in problems.zip(&found.problems) {
                let samples = (&samples[..], found);
                wrong += audit(&judge, entry, samples, location, time, terminal)?;
            }
        }
        all.push(found);
    }
    match args.format {
        FindingFormat::Text => {}
        FindingFormat::Json => verification_json(&all, &[], false, &mut Terminal::pipe())?,
        FindingFormat::Github | FindingFormat::Junit => {
            write_findings(args.format, "verify", &findings_of(&all, &loaded))?;
        }
    }
    Ok(if wrong == 0 && all.iter().all(Verification::holds) {
        Exit::Done
    } else if all.iter().any(Verification::has_faults) {
        Exit::Fault
    } else {
        Exit::Unmet
    })
}

/// What was found, with the files of samples that are on this machine.
fn findings_of(all: &[Verification], loaded: &[WithSamples]) -> Vec<Finding> {
    let pairs = all.iter().zip(loaded);
    let of_one = pairs.map(|(found, (assignment, ..))| {
        let entries = assignment.problems.iter();
        let folders = entries.map(|entry| entry.problem.shown.as_str());
        findings(
            found,
            folders.map(|it| Path::new(it).is_dir().then_some(it)),
        )
    });
    of_one.flatten().collect()
}

/// Searches for inputs on which samples fail that are marked `accepted`, or that pass all cases although they are wrong.
/// Returns how many of the former fail.
fn audit(
    judge: &Judge,
    entry: &Entry,
    (samples, found): (&[Sample], &ProblemVerification),
    location: &Location,
    time: Duration,
    terminal: &Terminal,
) -> anyhow::Result<usize> {
    let id = &entry.problem.id;
    let Some(space) = space_or_note(&entry.problem, location, terminal) else {
        return Ok(0);
    };
    let explainer = Explainer {
        judge,
        entry,
        space: &space,
        answers: &KnownAnswers::default(),
        location,
        time,
    };
    let mut out = terminal.stdout();
    // How many of some samples fail, each with its input.
    let mut failing = |samples: &[&Sample]| -> anyhow::Result<usize> {
        let mut count = 0;
        for sample in samples {
            let shown = vec![sample.path.clone()];
            let submission = Submission::in_memory(sample.sources.clone(), shown, None);
            if let Some(case) = explainer.explain(&submission, terminal)? {
                let (path, shown) = (&sample.path, draw::case(&case, &terminal.style()));
                writeln!(out, "{id} · {}\n{shown}", escaped(path.as_bytes()))?;
                count += 1;
            }
        }
        Ok(count)
    };
    let (right, others): (Vec<_>, Vec<_>) = samples
        .iter()
        .partition(|it| it.verdict == Verdict::Accepted);
    let passes = |it: &SampleResult| it.found.verdict == Verdict::Accepted;
    let has_passed = |path: &str| found.samples.iter().any(|it| it.path == path && passes(it));
    let missed: Vec<_> = others
        .into_iter()
        .filter(|it| has_passed(&it.path))
        .collect();
    let (wrong, caught) = (failing(&right)?, failing(&missed)?);
    let count = right.len();
    let line = terminal.lang.pick(
        format!(
            "{id}: {wrong} of {} failed on an input outside the test cases",
            counted(count, "accepted sample", "accepted samples")
        ),
        format!("{id}：{count} 个应通过的样例程序中，{wrong} 个在其他输入上出错"),
    );
    writeln!(out, "{line}")?;
    if !missed.is_empty() {
        let count = missed.len();
        let line = terminal.lang.pick(
            format!(
                "{id}: {caught} of {} every case failed on an input outside the test cases",
                counted(count, "wrong sample that passes", "wrong samples that pass")
            ),
            format!("{id}：{count} 个错误的样例程序没有被任何测试点查出，其中 {caught} 个在其他输入上出错"),
        );
        writeln!(out, "{line}")?;
    }
    Ok(wrong)
}

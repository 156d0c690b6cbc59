//! `grader verify`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Judge, VerifyOptions};
use grader_model::{
    CaseResult, Mismatch, ProblemVerification, SampleResult, Text, Verdict, Verification, counted,
    escaped,
};
use grader_problem::{Entry, ReferenceProgram, Sample};
use grader_report::{
    Finding, Progress, VerificationDocument, findings, terminal as draw, verification,
};
use grader_search::Explainer;
use grader_session::{Ended, Exit, Location, SessionError, WithSamples};
use grader_view::is_right;

use super::{finding, mistake};
use crate::assignment;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::isolation::IsolationArgs;
use crate::judge::{self, WorkerArgs};
use crate::search::{DEFAULT_SECONDS, failure, is_stop, seconds, space_or_note};
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
    /// Also search for inputs on which samples marked `accepted` fail.
    #[arg(long, hide_short_help = true)]
    audit: bool,
    /// With `--audit`: seconds to search for each sample.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, requires = "audit", value_parser = seconds, hide_short_help = true)]
    time: u64,
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
    #[command(flatten)]
    documents: FindingArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &VerifyArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let kind = Kind::of(VerificationDocument::FORMAT, "verify");
    let terminal = &args.documents.prepare(&kind, terminal)?;
    // All mistakes of all files are reported before anything runs.
    let loaded = match assignment::assignments().load_all(&args.paths)? {
        Ok(loaded) => loaded,
        Err(mistakes) => {
            let document = VerificationDocument::unread(mistakes.iter().map(mistake).collect());
            write_documents(args, &document, mistakes.iter().map(finding), terminal)?;
            return Err(SessionError::Mistakes(mistakes).into());
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
    let mut all = Vec::new();
    for (assignment, samples, location) in &loaded {
        let mut found = judge.verify(assignment, samples, options, &mut progress);
        if stop.is_requested() {
            all.push(found);
            write_interrupted(args, &all, terminal)?;
            return Ok(Exit::Interrupted);
        }
        let (languages, style) = (&assignment.languages, terminal.style());
        let text = verification(&found, languages, &style, args.verbose);
        terminal.stdout().write_all(text.as_bytes())?;
        let problems = assignment.problems.iter().zip(samples);
        let problems = problems.zip(&mut found.problems);
        let mut audits = problems
            .filter(|_| args.audit)
            .map(|((entry, own), found)| {
                let time = Duration::from_secs(args.time);
                audit(&judge, entry, (own, found), location, time, terminal)
            });
        let ended = audits.try_for_each(|it| it);
        all.push(found);
        if ended.as_ref().is_err_and(is_stop) {
            write_interrupted(args, &all, terminal)?;
        }
        ended?;
    }
    let document = VerificationDocument::of(&all, false);
    write_documents(args, &document, findings_of(&all, &loaded), terminal)?;
    let ended = Ended {
        is_interrupted: false,
        has_faults: all.iter().any(Verification::has_faults),
        is_unmet: !all.iter().all(Verification::holds),
    };
    Ok(ended.exit())
}

fn write_documents(
    args: &VerifyArgs,
    document: &VerificationDocument,
    findings: impl IntoIterator<Item = Finding>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let found = FindingDocuments {
        command: "verify",
        document,
        findings: findings.into_iter().collect(),
    };
    args.documents.write(&found, terminal)
}

/// Writes what was found before somebody stopped it. A test report would not show that samples are missing.
fn write_interrupted(
    args: &VerifyArgs,
    found: &[Verification],
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let document = VerificationDocument::of(found, true);
    args.documents.json().write(&document, terminal)
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

/// Searches for inputs on which samples fail that are marked `accepted`, or that pass all cases although they are wrong, and
/// for those on which the problem itself has a fault. Adds to the findings which of the former fail or were not tried, and the
/// fault.
fn audit(
    judge: &Judge,
    entry: &Entry,
    (samples, found): (&[Sample], &mut ProblemVerification),
    location: &Location,
    time: Duration,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let id = &entry.problem.id;
    let Some(space) = space_or_note(&entry.problem, location, terminal) else {
        return Ok(());
    };
    let explainer = Explainer {
        judge,
        entry,
        space: &space,
        library: location.library.as_ref(),
        time,
    };
    let (right, others): (Vec<_>, Vec<_>) = samples
        .iter()
        .partition(|it| it.verdict == Verdict::Accepted);
    let passes = |it: &SampleResult| is_right(&it.found);
    let has_passed = |path: &str| found.samples.iter().any(|it| it.path == path && passes(it));
    let missed: Vec<_> = others
        .into_iter()
        .filter(|it| has_passed(&it.path))
        .collect();
    let (mut wrong, mut caught) = (Failing::default(), Failing::default());
    let ended = failing(&explainer, &right, &mut wrong, terminal);
    // What was found before somebody stopped it is kept.
    for sample in &mut found.samples {
        sample.mismatches.extend(wrong.mismatch(&sample.path));
    }
    ended?;
    failing(&explainer, &missed, &mut caught, terminal)?;
    let mut fault = wrong.fault.or(caught.fault);
    if let (true, Some(reference)) = (right.is_empty(), of_reference(entry)) {
        // No other program reaches the inputs on which the problem itself is wrong.
        let outcome = explainer.explain(&reference);
        let outcome = outcome.map_err(failure)?;
        fault = fault.or(outcome.and_then(|it| it.problem_fault));
    }
    let (count, missed) = (right.len(), missed.len());
    let right = counted(count, "accepted sample", "accepted samples");
    let mut lines = vec![terminal.lang.pick(
        format!(
            "{id}: {} of {right} failed on an input outside the test cases",
            wrong.found.len()
        ),
        format!(
            "{id}：{count} 个应通过的样例程序中，{} 个在其他输入上出错",
            wrong.found.len()
        ),
    )];
    if missed > 0 {
        let wrong = counted(
            missed,
            "wrong sample that passes",
            "wrong samples that pass",
        );
        lines.push(terminal.lang.pick(
            format!(
                "{id}: {} of {wrong} every case failed on an input outside the test cases",
                caught.found.len()
            ),
            format!(
                "{id}：{missed} 个错误的样例程序没有被任何测试点查出，其中 {} 个在其他输入上出错",
                caught.found.len()
            ),
        ));
    }
    if !wrong.untried.is_empty() {
        let (one, many) = (
            "accepted sample was not tried",
            "accepted samples were not tried",
        );
        let untried = counted(wrong.untried.len(), one, many);
        lines.push(terminal.lang.pick(
            format!("{id}: {untried} to the end: try a longer `--time`"),
            format!(
                "{id}：{} 个应通过的样例程序没有试完：请延长 `--time`",
                wrong.untried.len()
            ),
        ));
    }
    lines.extend(fault.as_ref().map(|Text { en, zh }| {
        terminal
            .lang
            .pick(format!("{id}: {en}"), format!("{id}：{zh}"))
    }));
    writeln!(terminal.stdout(), "{}", lines.join("\n"))?;
    found.mismatches.extend(fault.map(|it| Mismatch {
        place: OUTSIDE.to_owned(),
        message: it.en,
        fault: false,
    }));
    Ok(())
}

/// The place of what concerns no case.
const OUTSIDE: &str = "outside the test cases";

/// Those of some samples that fail.
#[derive(Default)]
struct Failing {
    /// How, by their paths.
    found: BTreeMap<String, CaseResult>,
    /// Others that were not tried to the end.
    untried: BTreeSet<String>,
    /// What is wrong with the problem itself.
    fault: Option<Text>,
}

impl Failing {
    /// What is wrong with a sample that should fail on no input.
    fn mismatch(&self, sample: &str) -> Option<Mismatch> {
        let message = match self.found.get(sample) {
            Some(case) => {
                let because = case.message.as_ref();
                let because = because.map_or_else(String::new, |it| format!(": {}", it.en));
                let (name, code) = (&case.name, case.verdict.code());
                format!("expected AC on {name}, found {code}{because}")
            }
            None if self.untried.contains(sample) => "not tried to the end".to_owned(),
            None => return None,
        };
        Some(Mismatch {
            place: OUTSIDE.to_owned(),
            message,
            fault: false,
        })
    }
}

/// Shows on which input each of these samples fails.
fn failing(
    explainer: &Explainer<'_>,
    samples: &[&Sample],
    failing: &mut Failing,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    for sample in samples {
        let Some(outcome) = explainer.explain(&submission(sample)).map_err(failure)? else {
            continue;
        };
        failing.fault = failing.fault.take().or(outcome.problem_fault);
        if let Some(case) = outcome.found {
            let path = escaped(sample.path.as_bytes());
            let shown = draw::case(&case, &terminal.style());
            let id = &explainer.entry.problem.id;
            writeln!(terminal.stdout(), "{id} · {path}\n{shown}")?;
            failing.found.insert(sample.path.clone(), case);
        } else if outcome.is_untried || outcome.unconfirmed.is_some() {
            failing.untried.insert(sample.path.clone());
        }
    }
    Ok(())
}

fn submission(sample: &Sample) -> Submission {
    Submission::in_memory(sample.sources.clone(), vec![sample.path.clone()], None)
}

/// The reference as a submission, if it is given as sources.
fn of_reference(entry: &Entry) -> Option<Submission> {
    let ReferenceProgram::Sources(sources) = &entry.problem.reference.as_ref()?.program else {
        return None;
    };
    let shown = sources.iter().map(|it| it.path.clone()).collect();
    Some(Submission::in_memory(sources.clone(), shown, None))
}

//! `grader verify`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use grader_judge::{Judge, VerifyOptions};
use grader_model::{CaseResult, ProblemVerification, Text, Verification, escaped};
use grader_problem::{Entry, Sample};
use grader_report::{
    Finding, Mistake, Progress, VerificationDocument, document as draw, findings, verification,
};
use grader_search::{Explainer, SampleAudit};
use grader_session::{Ended, Exit, Location, SessionError, WithSamples, keep_problems};

use super::mistake;
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
    /// Only this problem (repeatable).
    #[arg(long, short, value_name = "ID")]
    problem: Vec<String>,
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
    let mut loaded = match assignment::assignments().load_all(&args.paths)? {
        Ok(loaded) => loaded,
        Err(mistakes) => {
            let of_files: Vec<_> = mistakes.iter().map(mistake).collect();
            let findings = of_files.iter().map(Mistake::finding).collect();
            let document = VerificationDocument::unread(of_files);
            write(args, &document, findings, terminal)?;
            return Err(SessionError::Mistakes(mistakes).into());
        }
    };
    keep_problems(&mut loaded, &args.problem)?;
    let mut found = Vec::new();
    let ended = verify(args, &loaded, &mut found, terminal);
    let is_stopped = match &ended {
        Ok(is_stopped) => *is_stopped,
        Err(error) => is_stop(error),
    };
    // If it failed, nobody knows how much is missing.
    if ended.is_ok() || is_stopped {
        let document = VerificationDocument::of(&found, is_stopped);
        let stopped = is_stopped.then(|| Finding::interrupted("verify"));
        let findings = found.iter().flat_map(findings).chain(stopped).collect();
        write(args, &document, findings, terminal)?;
    }
    let ended = Ended {
        is_interrupted: ended?,
        has_faults: found.iter().any(Verification::has_faults),
        is_unmet: !found.iter().all(Verification::holds),
    };
    Ok(ended.exit())
}

/// Verifies one assignment after the other, as far as it gets. Returns whether somebody stopped it while samples ran.
fn verify(
    args: &VerifyArgs,
    loaded: &[WithSamples],
    all: &mut Vec<Verification>,
    terminal: &Terminal,
) -> anyhow::Result<bool> {
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let (jobs, above) = (args.workers.jobs, Some(progress.above()));
    let (judge, stop) = judge::of_author(&args.isolation, jobs, args.fresh, above, terminal)?;
    let options = VerifyOptions {
        all: args.all,
        changed: args.changed,
        fuzz: args.fuzz,
    };
    for (assignment, samples, location) in loaded {
        judge::say_without_pypy(assignment, terminal);
        let mut found = judge.verify(assignment, samples, options, &mut progress);
        for (entry, problem) in assignment.problems.iter().zip(&mut found.problems) {
            let folder = &entry.problem.shown;
            problem.folder = Path::new(folder).is_dir().then(|| folder.clone());
        }
        all.push(found);
        let Some(found) = all.last_mut().filter(|_| !stop.is_requested()) else {
            return Ok(true);
        };
        let text = verification(
            found,
            &assignment.languages,
            &terminal.style(),
            args.verbose,
        );
        terminal.stdout().write_all(text.as_bytes())?;
        let problems = assignment.problems.iter().zip(samples);
        for ((entry, samples), found) in problems.zip(&mut found.problems).filter(|_| args.audit) {
            audit(args, &judge, entry, samples, found, location, terminal)?;
        }
    }
    Ok(false)
}

fn write(
    args: &VerifyArgs,
    document: &VerificationDocument,
    findings: Vec<Finding>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let found = FindingDocuments {
        command: "verify",
        document,
        findings,
    };
    args.documents.write(&found, terminal)
}

/// Searches for inputs on which samples of a problem fail, and prints what was found.
fn audit(
    args: &VerifyArgs,
    judge: &Judge,
    entry: &Entry,
    samples: &[Sample],
    found: &mut ProblemVerification,
    location: &Location,
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
        time: Duration::from_secs(args.time),
    };
    let mut show = |path: &str, case: &CaseResult| {
        let (path, shown) = (
            escaped(path.as_bytes()),
            draw::case(case, &terminal.style()),
        );
        writeln!(terminal.stdout(), "{id} · {path}\n{shown}")
    };
    let audit = SampleAudit::run(&explainer, samples, found, &mut show);
    for Text { en, zh } in audit.map_err(failure)?.lines() {
        let line = terminal
            .lang
            .pick(format!("{id}: {en}"), format!("{id}：{zh}"));
        writeln!(terminal.stdout(), "{line}")?;
    }
    Ok(())
}

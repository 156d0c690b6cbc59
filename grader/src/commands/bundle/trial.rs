//! Whether a kit's harness works without the files that only hidden tests need, and has no hidden test.

use std::collections::BTreeSet;

use grader_judge::{Judge, Stop, VerifyOptions};
use grader_kit::StudentKit;
use grader_model::{CaseResult, SampleResult, Verdict, escaped};
use grader_problem::{Entry, Problem, Sample, load_samples};
use grader_report::Progress;
use grader_session::{Failure, Location, SessionError};

use crate::commands::reference;
use crate::terminal::Terminal;

/// Judges accepted samples with the kit's harness: they must pass the public tests, and the hidden ones must be missing. After a
/// request to stop, nobody knows.
pub(super) fn try_harness(
    kit: &StudentKit<'_>,
    entry: &Entry,
    public: &Problem,
    (judge, stop): (&Judge, &Stop),
    place: &Location,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let withheld = kit.withheld(public)?;
    if withheld.is_empty() || public.subtasks.is_empty() {
        return Ok(());
    }
    let data = judge.test_data(&entry.problem)?;
    let references = reference::names();
    let assignment = kit.trial(entry, data, withheld.clone(), &place.folder, &references)?;
    let samples = load_samples(place.library.as_ref(), &entry.problem);
    let mut samples = samples.map_err(SessionError::Mistakes)?;
    samples.retain(Sample::must_earn_all);
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let options = VerifyOptions {
        all: true,
        ..VerifyOptions::default()
    };
    let found = judge.verify(&assignment, &[samples], options, &mut progress);
    if stop.is_requested() {
        return Ok(());
    }
    let samples = found.problems.iter().flat_map(|it| &it.samples);
    let mut ran = samples.filter(|it| it.has_run()).peekable();
    let mistake = if ran.peek().is_none() {
        Some(format!(
            "no right program shows that public tests run without {}\nput one into `submissions/accepted`",
            listed(&withheld)
        ))
    } else {
        ran.find_map(|sample| mistake(sample, public, &withheld))
    };
    match mistake {
        Some(mistake) => Err(Failure::usage(format!("{}: {mistake}", public.id)).into()),
        None => Ok(()),
    }
}

/// What is wrong with the harness by a sample that is right.
fn mistake(sample: &SampleResult, public: &Problem, withheld: &BTreeSet<String>) -> Option<String> {
    let is_public = |subtask: &str| public.subtasks.iter().any(|it| it.name.as_str() == subtask);
    let subtasks = sample.found.subtasks.iter();
    let cases = subtasks.flat_map(|it| it.cases.iter().map(move |case| (it.name.as_str(), case)));
    let (of_public, of_hidden): (Vec<_>, Vec<_>) = cases.partition(|it| is_public(it.0));
    let failed = of_public
        .iter()
        .find(|it| it.1.verdict != Verdict::Accepted);
    let path = escaped(sample.path.as_bytes());
    if failed.is_some() || of_public.len() < public.case_count() {
        let verdict = failed.map_or(sample.found.verdict, |it| it.1.verdict);
        let place = failed.map_or_else(String::new, |it| format!(" in `{}/{}`", it.0, it.1.name));
        let why = failed.and_then(|it| it.1.message.as_ref());
        let why = why.map_or_else(String::new, |it| format!(": {}", it.en));
        return Some(format!(
            "without {}, `{path}` gets {verdict}{place}{why}\nthe harness must run the public tests if these files are missing",
            listed(withheld)
        ));
    }
    let is_missing = |case: &CaseResult| {
        let is_only = matches!(&case.evidence[..], [it] if it.code == "test-missing");
        is_only && case.share.is_none()
    };
    let (subtask, case) = of_hidden.into_iter().find(|it| !is_missing(it.1))?;
    Some(format!(
        "the hidden test `{subtask}/{}` is in a file that public tests need, too\nput it into a file of its own, and name that in `test-files` of its subtask",
        case.name
    ))
}

fn listed(paths: &BTreeSet<String>) -> String {
    let paths = paths
        .iter()
        .map(|it| format!("`{}`", escaped(it.as_bytes())));
    paths.collect::<Vec<_>>().join(", ")
}

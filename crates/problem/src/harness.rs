//! Unit tests as cases: a harness reports the results of its tests, from inside the submission's run (`report`) or as the
//! interactor.

use crate::author_program::CheckerProtocol;
use crate::context::Context;
use crate::diagnostic::Log;
use crate::file::{CaseFile, ProblemFile, SubtaskFile};
use crate::problem::{ReportFormat, TestRule};
use crate::suggest::quoted;
use crate::value::At;

/// The key that makes the cases unit tests, and its place.
fn harness(problem: &ProblemFile) -> Option<(&'static str, At<()>)> {
    let (key, span) = match (&problem.run.report, &problem.interactor) {
        (Some(report), _) => ("report", &report.span),
        (None, Some(interactor)) if interactor.protocol == CheckerProtocol::Junit => {
            ("protocol = \"junit\"", &interactor.span)
        }
        _ => return None,
    };
    let span = span.clone();
    Some((key, At { value: (), span }))
}

/// Reports keys of the whole problem that do not fit a harness.
pub(crate) fn check_report(file: &ProblemFile, log: &mut Log) {
    let (run, report) = (&file.run, ("report", &file.run.report));
    log.exclusive(report, ("checker", &file.checker));
    log.exclusive(report, ("interactor", &file.interactor));
    log.exclusive(report, ("output-file", &run.output_file));
    log.exclusive(report, ("exit-status", &run.exit_status));
    if let Some(input) = run.input_file.as_ref().filter(|_| run.report.is_some())
        && input.0 == ReportFormat::FILE
    {
        log.report(&input.span, "the harness writes its report to this file");
    }
    if let Some((key, at)) = harness(file) {
        log.exclusive((key, &Some(at)), ("passes", &run.passes));
    }
}

/// Reports keys of a subtask that do not fit a harness.
pub(crate) fn check_keys(problem: &ProblemFile, subtask: &SubtaskFile, log: &mut Log) {
    let Some((key, at)) = harness(problem) else {
        return;
    };
    let harness = (key, &Some(at));
    log.exclusive(harness, ("growth", &subtask.growth));
    log.exclusive(harness, ("attempts", &subtask.attempts));
    log.exclusive(harness, ("by-time", &subtask.by_time));
    log.exclusive(harness, ("checker", &subtask.checker));
    log.exclusive(harness, ("cases", &subtask.cases));
    log.exclusive(harness, ("folder", &subtask.folder));
    for case in &subtask.case {
        log.exclusive(harness, ("answer", &case.answer));
        log.exclusive(harness, ("answer-file", &case.answer_file));
        if case.test.is_none() && case.count.is_none() {
            let name = quoted(&case.name.0);
            let message = format!("case {name} has no `test`\nwrite `test = \"test_push\"`");
            log.report(&case.name.span, &message);
        }
    }
}

/// The tests that a case stands for. Reports a mistake if it should have some, or should not.
pub(crate) fn test(
    problem: &ProblemFile,
    file: &CaseFile,
    context: &mut Context<'_>,
) -> Option<TestRule> {
    let (test, count) = (file.test.as_ref(), file.count.as_ref());
    let has_harness = harness(problem).is_some();
    let mistake = match (test, count) {
        (None, None) => return None,
        (None, Some(count)) => (&count.span, "`count` needs a pattern as `test`".to_owned()),
        (Some(test), _) if !has_harness => {
            let message = "a test needs a harness\nwrite `report = \"junit\"` in `[run]`, or use an interactor with `protocol = \"junit\"`";
            (&test.span, message.to_owned())
        }
        (Some(test), count) => {
            let is_pattern = test.contains(['*', '?']);
            if is_pattern == count.is_some() {
                return Some(TestRule {
                    name: test.value.clone(),
                    count: count.map(|count| count.get()),
                });
            }
            let message = if is_pattern {
                format!(
                    "{} is a pattern\nwrite a `[[subtask.case]]` with `test`, and `count`, the number of tests that match",
                    quoted(test)
                )
            } else {
                format!(
                    "{} is no pattern, so `count` is 1\nleave out `count`",
                    quoted(test)
                )
            };
            (&test.span, message)
        }
    };
    context.report(mistake.0, &mistake.1);
    None
}

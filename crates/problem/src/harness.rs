//! Unit tests as cases: a harness reports the results of its tests, from inside the submission's run (`report`) or as the
//! interactor.

use crate::context::Context;
use crate::diagnostic::Log;
use crate::exclusive::harness;
use crate::file::{CaseFile, ProblemFile, SubtaskFile};
use crate::problem::{ReportFormat, TestRule};
use crate::suggest::quoted;

/// Reports a file of a run that is the harness' own.
pub(crate) fn check_report(file: &ProblemFile, log: &mut Log) {
    let run = &file.run;
    if let Some(input) = run.input_file.as_ref().filter(|_| run.report.is_some())
        && input.0 == ReportFormat::FILE
    {
        log.report(&input.span, "the harness writes its report to this file");
    }
}

/// Reports cases without the test that they stand for, and files of tests that are not the harness'.
pub(crate) fn check_tests(problem: &ProblemFile, subtask: &SubtaskFile, log: &mut Log) {
    for path in &subtask.test_files {
        let files = problem.submission.include.iter().chain(&problem.run.files);
        let folder = problem.interactor.iter().map(|it| &it.source.value);
        let plain = |path: &str| {
            path.trim_start_matches("./")
                .trim_end_matches('/')
                .to_owned()
        };
        let name = plain(path);
        let is_inside = |folder: &String| name.starts_with(&format!("{}/", plain(folder)));
        let mut all = folder
            .map(is_inside)
            .chain(files.map(|it| plain(&it.value) == name));
        if harness(problem).is_none() || !all.any(|it| it) {
            let message = format!(
                "{} is no file of the harness\nname one of `include`, or one in the folder of the interactor",
                quoted(path)
            );
            log.report(&path.span, &message);
        }
    }
    let has_none =
        |case: &&CaseFile| case.test.is_none() && case.count.is_none() && case.mutant.is_none();
    for case in subtask.case.iter().filter(has_none) {
        if harness(problem).is_some() {
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

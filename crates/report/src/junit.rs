//! JUnit XML, as GitLab, Jenkins and GitHub's actions read it.
//!
//! There is no specification; the shape is that of <https://github.com/testmoapp/junitxml>. A suite is a submission and a
//! test is a case: `classname` is `<assignment>.<problem>.<student>`, which GitLab shows as the suite, and `name` is
//! `<subtask>/<case>`. A case that failed is a `failure` whose `type` is its verdict, a judge error is an `error`, and what
//! did not run is `skipped`. A submission that cannot be built has the failing test `compile`, and its cases are skipped.
//! A subtask that a person grades is a test: skipped until its points are there, and failed if they are not all. What took points
//! after judging, lateness or a correction, is the failing test `submission`. If the student is excused, or has all points, failures
//! are `skipped`: they do not count.
//!
//! GitLab takes files below 30 MB. So nothing is written twice, and only the first failures of a subtask are explained at
//! length and with their standard error: 500 students with five problems of twelve cases make 15 MB if a quarter of the
//! cases fail, and 26 MB if all do.

use std::io::{self, Write};
use std::mem;
use std::time::Duration;

use grader_model::{AdjustmentKind, Lang, Text, Verdict, WhyOpen};
use grader_view::{CaseView, ClassView, Lost, ProblemView, Status, StudentView, SubtaskView};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::defused;
use crate::document::{hints, told_case};
use crate::style::{Style, safe};

/// Programs read it: English, one width.
pub(crate) const STYLE: Style = Style {
    color: false,
    lang: Lang::En,
    width: 120,
};

/// Writes the results as JUnit XML. The same results give the same bytes.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_junit(class: &ClassView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let assignment = class.assignment.id.as_str();
    let comment = class.class.map(|it| format!("class {}", it.section));
    let students = || class.students.iter().map(|it| suites(assignment, it));
    write_suites(assignment, comment.as_deref(), students, out)
}

/// Writes JUnit XML of this name: suites, some at a time, after a comment.
///
/// The start tag counts the tests of all suites. Suites are made twice, because keeping those of a large class takes 300 MiB.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn write_suites<I: Iterator<Item: IntoIterator<Item = TestSuite>>>(
    name: &str,
    comment: Option<&str>,
    suites: impl Fn() -> I,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut all = Report::new(xml(name));
    for some in suites() {
        all.add_test_suites(some);
        all.test_suites.clear();
    }
    let [start, _, end] = parts(&all)?;
    out.write_all(start.as_bytes())?;
    if let Some(comment) = comment {
        write!(out, "\n    <!-- {comment} -->")?;
    }
    for some in suites() {
        let mut one = Report::new("");
        one.add_test_suites(some);
        let [_, suites, _] = parts(&one)?;
        out.write_all(suites.as_bytes())?;
    }
    out.write_all(end.as_bytes())
}

fn suites(assignment: &str, student: &StudentView<'_>) -> impl Iterator<Item = TestSuite> {
    let problems = student.problems.iter();
    problems.map(move |it| suite(assignment, student, it))
}

/// The XML of a report: its start, its suites and its end.
fn parts(report: &Report) -> io::Result<[String; 3]> {
    let xml = report.to_string().map_err(io::Error::other)?;
    let cut = || {
        let (end, from) = (xml.rfind("\n</testsuites>")?, xml.find("<testsuites ")?);
        let start = from + xml[from..].find('>')? + 1;
        let parts = [xml.get(..start)?, xml.get(start..end)?, xml.get(end..)?];
        Some(parts.map(str::to_owned))
    };
    cut().ok_or_else(|| io::Error::other("the XML has no `testsuites`"))
}

fn suite(assignment: &str, student: &StudentView<'_>, problem: &ProblemView<'_>) -> TestSuite {
    let class = xml(&format!("{assignment}.{}.{}", problem.id, student.id));
    let mut suite = TestSuite::new(class.clone());
    let points = problem.standing.points();
    let points = points.map(|points| ("points", points.to_string()));
    let max_points = ("max-points", problem.max_points.to_string());
    let verdict = ("verdict", problem.verdict.code().to_owned());
    for (name, value) in points.into_iter().chain([max_points, verdict]) {
        suite.add_property((name, value.as_str()));
    }
    for adjustment in problem.adjustments {
        let message = xml(adjustment.message.get(Lang::En));
        suite.add_property(("adjustment", message.as_str()));
    }
    let mut tests: Vec<TestCase> = compile(problem).into_iter().collect();
    let subtasks = problem.subtasks.iter();
    tests.extend(subtasks.filter_map(|it| without_cases(problem, it)));
    // The first case that failed has the hints on the whole submission.
    let mut hints = &problem.hints[..];
    for subtask in &problem.subtasks {
        let cases = subtask.cases.iter();
        tests.extend(cases.map(|it| case(problem, subtask, it, &mut hints)));
        // A subtask fails as a whole if its time grows too fast, though every case passes.
        let is_growth = subtask.has_verdict() && subtask.status.is_short();
        if let Some(message) = subtask.message.filter(|_| is_growth) {
            let mut failed = status(Verdict::WrongAnswer, Some(message));
            failed.set_type("growth");
            tests.push(TestCase::new(xml(subtask.name.as_str()), failed));
        }
    }
    let is_empty = tests.is_empty();
    tests.extend(whole(problem, is_empty).map(|status| TestCase::new("submission", status)));
    void(problem, &mut tests);
    for test in &mut tests {
        test.set_classname(class.clone());
    }
    suite.set_time(tests.iter().filter_map(|test| test.time).sum::<Duration>());
    suite.add_test_cases(tests);
    suite
}

/// Leaves out what does not count: failures of work that is good, and errors where a person has given the points.
fn void(problem: &ProblemView<'_>, tests: &mut [TestCase]) {
    let why = changed_by(problem).map_or("it costs no points", |it| it.get(Lang::En));
    for test in tests {
        let is_void = match &test.status {
            TestCaseStatus::NonSuccess {
                kind: NonSuccessKind::Error,
                ..
            } => !problem.status.is_fault(),
            TestCaseStatus::NonSuccess { .. } | TestCaseStatus::Skipped { .. } => {
                problem.status.is_good()
            }
            TestCaseStatus::Success { .. } => false,
        };
        if is_void {
            test.status = TestCaseStatus::skipped();
            test.status.set_message(xml(why));
        }
    }
}

/// What changed the points after judging, the last if several did.
fn changed_by<'a>(problem: &ProblemView<'a>) -> Option<&'a Text> {
    let adjustments = problem.adjustments.iter().rev();
    let mut changes = adjustments.filter(|it| it.kind != AdjustmentKind::Comment);
    changes.next().map(|it| &it.message)
}

/// The status of a submission, if no other test shows it: that it could not be judged, what took its points after judging, or
/// that there is nothing.
fn whole(problem: &ProblemView<'_>, is_empty: bool) -> Option<TestCaseStatus> {
    let message = problem.message.or_else(|| changed_by(problem));
    let word = match problem.status {
        Status::Waiting(WhyOpen::Fault(_)) => {
            return Some(status(Verdict::JudgeError, message));
        }
        Status::Short {
            why: Lost::Late, ..
        } => "late",
        Status::Short {
            why: Lost::Corrected,
            ..
        } => "corrected",
        _ => return is_empty.then(|| status(problem.verdict, message)),
    };
    let message = changed_by(problem).map(|it| xml(it.get(Lang::En)));
    Some(failure(word, &message.unwrap_or_default()))
}

/// The test of a subtask that a person grades, or a tool.
fn without_cases(problem: &ProblemView<'_>, subtask: &SubtaskView<'_>) -> Option<TestCase> {
    if subtask.has_verdict() {
        return None;
    }
    let mut status = match subtask.status {
        Status::Full => TestCaseStatus::success(),
        // Nothing was submitted, or it could not be judged.
        Status::Failed(verdict) => status(verdict, problem.message),
        Status::Short { .. } => {
            let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
            failed.set_type(if subtask.is_by_hand() {
                "by-hand"
            } else {
                "remarks"
            });
            failed
        }
        Status::Waiting(_) | Status::Excused | Status::Absent => TestCaseStatus::skipped(),
    };
    if let Some(reason) = subtask.not_given() {
        status.set_message(xml(reason.text.get(Lang::En)));
    }
    Some(TestCase::new(xml(subtask.name.as_str()), status))
}

/// The test `compile` of a submission that could not be built.
fn compile(problem: &ProblemView<'_>) -> Option<TestCase> {
    if !problem.is_unbuilt() {
        return None;
    }
    let mut status = status(problem.verdict, problem.message);
    let hints = hints(&problem.hints, STYLE.words()).text(&STYLE);
    let messages = problem.compiler_messages().map(ToString::to_string);
    let lines = messages.into_iter().chain([hints]);
    let text = lines.collect::<Vec<_>>().join("\n");
    if !text.is_empty() {
        status.set_description(block(text.trim_end()));
    }
    Some(TestCase::new("compile", status))
}

fn case(
    problem: &ProblemView<'_>,
    subtask: &SubtaskView<'_>,
    case: &CaseView<'_>,
    left: &mut &[&Text],
) -> TestCase {
    // The test `compile` has the error.
    let verdict = match case.verdict() {
        Verdict::CompileError if problem.is_unbuilt() => Verdict::Skipped,
        verdict => verdict,
    };
    let mut status = status(verdict, case.message());
    if let TestCaseStatus::NonSuccess { .. } = status {
        let mut document = told_case(case, STYLE.words());
        document.append(hints(mem::take(left), STYLE.words()));
        status.set_description(block(document.text(&STYLE).trim_end()));
    }
    let mut test = TestCase::new(xml(&format!("{}/{}", subtask.name, case.name())), status);
    if let Some(outcome) = case.outcome() {
        test.set_time(outcome.wall.0);
        test.add_property(("cpu-ms", outcome.cpu.as_millis_f64().to_string().as_str()));
    }
    test
}

/// The status of a test with this verdict: its type is the verdict.
fn status(verdict: Verdict, message: Option<&Text>) -> TestCaseStatus {
    let mut status = match verdict {
        Verdict::Accepted => return TestCaseStatus::success(),
        Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::JudgeError => error(""),
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    let message = message.unwrap_or_else(|| verdict.name());
    status.set_message(xml(message.get(Lang::En)));
    if verdict != Verdict::Skipped {
        status.set_type(verdict.code());
    }
    status
}

/// A test that failed in this way.
pub(crate) fn failure(kind: &str, message: &str) -> TestCaseStatus {
    non_success(NonSuccessKind::Failure, kind, message)
}

/// A test that could not be run.
pub(crate) fn error(message: &str) -> TestCaseStatus {
    non_success(NonSuccessKind::Error, "", message)
}

fn non_success(status: NonSuccessKind, kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(status);
    if !kind.is_empty() {
        status.set_type(kind);
    }
    status.set_message(message);
    status
}

/// Several lines as XML can hold them. A report may be printed to a log of GitHub.
pub(crate) fn block(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(xml).collect();
    defused(&lines.join("\n"))
}

/// One line as XML can hold it; the writer quotes it.
///
/// `U+FFFE` and `U+FFFF` are the only printable characters that XML 1.0 does not allow. GitLab takes
/// `[[ATTACHMENT|path]]` for a file to show beside a test.
pub(crate) fn xml(text: &str) -> String {
    safe(text)
        .replace('\u{fffe}', "\\u{fffe}")
        .replace('\u{ffff}', "\\u{ffff}")
        .replace("[[ATTACHMENT|", "[[ATTACHMENT\\|")
}

#[cfg(test)]
mod tests;

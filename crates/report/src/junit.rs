//! JUnit XML, as GitLab, Jenkins and GitHub's actions read it.
//!
//! There is no specification; the shape is that of <https://github.com/testmoapp/junitxml>, which gathers what its
//! readers agree on. A suite is a submission and a test is a case: `classname` is `<problem>.<student>`, which GitLab
//! shows as the suite, and `name` is `<subtask>/<case>`, unique in its suite because GitLab reads only the first of two.
//! What stops a case is a `failure` whose `type` says which; our own failures are an `error`; what was not run is
//! `skipped`. A submission that cannot be built has the failing test `compile`, and its cases are skipped.
//!
//! GitLab takes files below 30 MB. Therefore nothing is said twice (the wall time is the test's own, a test that passed has
//! no verdict), and as in the terminal only the first failures of a subtask are explained at length and with their
//! standard error. Five hundred students with five problems of twelve cases, a quarter of which fail, make
//! 15 MB; 26 MB where all fail.

use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Duration;

use grader_model::{
    CaseResult, Lang, Outcome, ProblemResult, Results, StudentResult, SubtaskResult, Text, Verdict,
};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::layout::Page;
use crate::style::{Style, safe};
use crate::terminal::Explanations;
use crate::{Audience, defused};

/// Programs read it: English, one width.
const STYLE: Style = Style {
    color: false,
    lang: Lang::En,
    width: 120,
    unicode: true,
};

/// Writes the results as JUnit XML, as the audience may see them. Times are those of the results: the same results give
/// the same bytes.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_junit(results: &Results, audience: Audience, out: &mut dyn Write) -> io::Result<()> {
    let results = audience.report(results)?;
    let mut report = Report::new(xml(results.assignment.id.as_str()));
    for student in &results.students {
        for problem in &student.problems {
            report.add_test_suite(suite(student, problem));
        }
    }
    report.serialize(out).map_err(io::Error::other)
}

/// The tests of one submission.
struct Tests {
    class: String,
    suite: TestSuite,
    names: HashSet<String>,
    wall: Duration,
}

impl Tests {
    fn push(&mut self, name: &str, status: TestCaseStatus) -> &mut TestCase {
        let name = self.unique(name);
        let mut test = TestCase::new(name, status);
        test.set_classname(self.class.clone());
        self.suite.add_test_case(test);
        let last = self.suite.test_cases.len() - 1;
        &mut self.suite.test_cases[last]
    }

    /// The name, with a number where there is one like it.
    fn unique(&mut self, name: &str) -> String {
        let name = xml(name);
        let mut unique = name.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        unique
    }
}

fn suite(student: &StudentResult, problem: &ProblemResult) -> TestSuite {
    let class = xml(&format!("{}.{}", problem.id, student.id));
    let mut tests = Tests {
        suite: TestSuite::new(class.clone()),
        class,
        names: HashSet::new(),
        wall: Duration::ZERO,
    };
    if let Some(points) = problem.points {
        tests
            .suite
            .add_property(("points", points.to_string().as_str()));
    }
    let most = problem.max_points.to_string();
    tests.suite.add_property(("max-points", most.as_str()));
    tests
        .suite
        .add_property(("verdict", problem.verdict.code()));
    compile(&mut tests, problem);
    let mut explanations = Explanations::default();
    for subtask in &problem.subtasks {
        explanations.begin_subtask();
        for case in &subtask.cases {
            push_case(&mut tests, problem, subtask, case, &mut explanations);
        }
        whole_subtask(&mut tests, subtask);
    }
    whole_submission(&mut tests, problem);
    tests.suite.set_time(tests.wall);
    tests.suite
}

/// The test `compile` of a submission that was built, or could not be.
fn compile(tests: &mut Tests, problem: &ProblemResult) {
    let failed = problem.verdict == Verdict::CompileError;
    if problem.build.is_none() && !failed {
        return;
    }
    let said = problem
        .build
        .as_ref()
        .and_then(|build| build.messages.as_ref());
    let said = said.map(|said| block(&said.to_string()));
    let status = if failed {
        let mut status = status(Verdict::CompileError, problem.message.as_ref());
        if let Some(said) = &said {
            status.set_description(said);
        }
        status
    } else {
        TestCaseStatus::success()
    };
    let test = tests.push("compile", status);
    if let Some(build) = &problem.build {
        test.add_property(("toolchain", xml(&build.toolchain).as_str()));
        test.add_property(("cpu-ms", build.cpu.as_millis_f64().to_string().as_str()));
    }
    if let (Some(said), false) = (said, failed) {
        test.set_system_out(said);
    }
}

fn push_case(
    tests: &mut Tests,
    problem: &ProblemResult,
    subtask: &SubtaskResult,
    case: &CaseResult,
    explanations: &mut Explanations,
) {
    let built = problem.verdict != Verdict::CompileError;
    let verdict = match case.verdict {
        // It is said once, by the test `compile`.
        Verdict::CompileError if !built => Verdict::Skipped,
        verdict => verdict,
    };
    let mut status = status(verdict, case.message.as_ref());
    let mut stderr = None;
    if let TestCaseStatus::NonSuccess { .. } = status {
        stderr = case.stderr.as_ref().filter(|_| !explanations.is_brief());
        status.set_description(explained(case, explanations));
    }
    let name = format!("{}/{}", subtask.name, case.name);
    if let Some(outcome) = &case.outcome {
        tests.wall += outcome.wall.0;
    }
    let test = tests.push(&name, status);
    if case.verdict != Verdict::Accepted {
        test.add_property(("verdict", case.verdict.code()));
    }
    if let Some(outcome) = &case.outcome {
        measured(test, outcome);
    }
    if let Some(stderr) = stderr {
        test.set_system_err(block(&stderr.to_string()));
    }
}

fn measured(test: &mut TestCase, outcome: &Outcome) {
    test.set_time(outcome.wall.0);
    test.add_property(("cpu-ms", outcome.cpu.as_millis_f64().to_string().as_str()));
    if let Some(memory) = outcome.memory {
        test.add_property(("memory-bytes", memory.0.to_string().as_str()));
    }
}

/// What only the subtask as a whole is to blame for: its time grows too fast, though every case passes.
fn whole_subtask(tests: &mut Tests, subtask: &SubtaskResult) {
    if let Some(message) = &subtask.message
        && subtask.verdict != Verdict::Accepted
    {
        let mut failed = status(Verdict::WrongAnswer, Some(message));
        failed.set_type("growth");
        tests.push(subtask.name.as_str(), failed);
    }
}

/// The test `submission`, where no other test says what became of it: nothing was submitted, or we failed.
fn whole_submission(tests: &mut Tests, problem: &ProblemResult) {
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    let told = match problem.verdict {
        Verdict::JudgeError => cases.any(|case| case.verdict == Verdict::JudgeError),
        Verdict::CompileError => true,
        Verdict::Accepted
        | Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::Skipped => cases.next().is_some(),
    };
    if !told {
        tests.push(
            "submission",
            status(problem.verdict, problem.message.as_ref()),
        );
    }
}

/// The status of a test with this verdict.
fn status(verdict: Verdict, message: Option<&Text>) -> TestCaseStatus {
    let mut status = match verdict {
        Verdict::Accepted => return TestCaseStatus::success(),
        Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::JudgeError => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    let name = verdict.name();
    status.set_message(xml(message.unwrap_or(&name).get(Lang::En)));
    if verdict != Verdict::Skipped {
        status.set_type(kind(verdict));
    }
    status
}

/// A stable word for a verdict.
const fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::PartiallyCorrect => "partially-correct",
        Verdict::PresentationError => "presentation-error",
        Verdict::WrongAnswer => "wrong-answer",
        Verdict::TimeLimit => "time-limit",
        Verdict::MemoryLimit => "memory-limit",
        Verdict::OutputLimit => "output-limit",
        Verdict::RuntimeError => "runtime-error",
        Verdict::CompileError => "compile-error",
        Verdict::Skipped => "skipped",
        Verdict::JudgeError => "judge-error",
    }
}

/// A case as the terminal explains it, but for its standard error, which has an element of its own.
fn explained(case: &CaseResult, explanations: &mut Explanations) -> String {
    let case = CaseResult {
        stderr: None,
        ..case.clone()
    };
    let mut page = Page::new(&STYLE);
    explanations.case(&mut page, 0, &case, &STYLE);
    block(page.finish().trim_end())
}

/// Several lines as XML can hold them. None is a command of GitHub's runner, for a report may be printed there.
fn block(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(xml).collect();
    defused(&lines.join("\n"))
}

/// One line as XML can hold it, quoting left to the writer.
///
/// `U+FFFE` and `U+FFFF` are the only characters of printable text that XML 1.0 has no place for. GitLab takes
/// `[[ATTACHMENT|path]]` for a file to show beside a test; no text of a student says which.
fn xml(text: &str) -> String {
    safe(text)
        .replace('\u{fffe}', "\\u{fffe}")
        .replace('\u{ffff}', "\\u{ffff}")
        .replace("[[ATTACHMENT|", "[[ATTACHMENT\\|")
}

#[cfg(test)]
mod tests;

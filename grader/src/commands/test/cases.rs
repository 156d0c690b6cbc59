//! The cases of a test: which of them run, and how to reproduce them by hand.

use std::collections::BTreeMap;

use grader_intake::Submission;
use grader_language::language;
use grader_model::{Excerpt, ProblemId};
use grader_problem::{Assignment, Case, Problem};
use grader_report::TestCase;

use crate::command_line::typed;

/// At most so many bytes of a case's input are shown.
const MAX_INPUT_SHOWN: usize = 1024;
/// Longer input is not put into a command line.
const MAX_INPUT_TYPED: usize = 80;

/// How to reproduce each case, in the order in which they run.
pub(super) fn of(
    assignment: &Assignment,
    submissions: &BTreeMap<ProblemId, Submission>,
) -> Vec<TestCase> {
    let mut cases = Vec::new();
    for entry in &assignment.problems {
        let problem = &entry.problem;
        let submission = submissions.get(&problem.id);
        for subtask in &problem.subtasks {
            cases.extend(subtask.cases.iter().map(|case| {
                TestCase {
                    problem: problem.id.clone(),
                    subtask: subtask.name.clone(),
                    name: case.name.clone(),
                    hidden: subtask.hidden,
                    // An interactor reads it, in a form of its own.
                    input: (!case.input.is_empty() && !case.checker.is_interactive())
                        .then(|| Excerpt::block(&case.input, MAX_INPUT_SHOWN)),
                    command: submission.and_then(|it| command(it, problem, case)),
                }
            }));
        }
    }
    cases
}

/// `printf '6\n' | ./count`: runs the program on a case. `None` if that takes more than one line.
fn command(submission: &Submission, problem: &Problem, case: &Case) -> Option<String> {
    let [file] = &submission.shown[..] else {
        return None;
    };
    let name = file.rsplit('/').next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let run = &language(submission.language?).run;
    let has = |word: &str| run.iter().any(|it| it == word);
    let mut words = match run.first()?.as_str() {
        "{program}" => vec![format!("./{stem}")],
        tool if has("{main}") => vec![tool.to_owned(), file.clone()],
        tool if has("{class}") => vec![tool.to_owned(), stem.to_owned()],
        _ => return None,
    };
    words.extend(case.arguments.iter().cloned());
    let command = typed(words);
    if case.input.is_empty() || case.checker.is_interactive() {
        return Some(command);
    }
    let input = std::str::from_utf8(&case.input).ok()?;
    let is_shown = |c: char| c == '\n' || !c.is_control();
    let is_typed = input.len() <= MAX_INPUT_TYPED && input.chars().all(is_shown);
    if problem.run.input_file.is_some() || !is_typed {
        return None;
    }
    let format = input.replace('\\', r"\\").replace('%', "%%");
    let format = typed([format.replace('\n', r"\n")]);
    Some(format!("printf {format} | {command}"))
}

//! The cases of a test: which of them run, and how to reproduce them by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_intake::Submission;
use grader_language::language;
use grader_model::{Excerpt, ProblemId, Text};
use grader_problem::{Assignment, Case, Problem};
use grader_report::TestCase;

use crate::assignment::did_you_mean;
use crate::command_line::typed;
use crate::exit::Failure;

/// At most so many bytes of a case's input are shown.
const MAX_INPUT_SHOWN: usize = 1024;
/// Longer input is not put into a command line.
const MAX_INPUT_TYPED: usize = 80;

/// Keeps the cases that are named, `n=6` or `small/n=6`; all if none is. Hidden cases cannot be named.
pub(super) fn keep(assignment: &mut Assignment, names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let mut known = Vec::new();
    let mut unknown: Vec<&String> = names.iter().collect();
    for entry in &mut assignment.problems {
        let mut problem = Problem::clone(&entry.problem);
        problem.unjudged.clone_from(&problem.subtasks);
        problem.subtasks.retain_mut(|subtask| {
            if subtask.hidden {
                return false;
            }
            let all = subtask.cases.len();
            subtask.cases.retain(|case| {
                let full = format!("{}/{}", subtask.name, case.name);
                let is_case = |name: &String| *name == full || name == case.name.as_str();
                unknown.retain(|name| !is_case(name));
                let is_wanted = names.iter().any(is_case);
                known.push(full);
                is_wanted
            });
            subtask.points = subtask.points.share(subtask.cases.len(), all);
            // One size shows no growth, and what is required may not run.
            subtask.growth = None;
            subtask.require.clear();
            !subtask.cases.is_empty()
        });
        entry.problem = Arc::new(problem);
    }
    assignment
        .problems
        .retain(|entry| !entry.problem.subtasks.is_empty());
    let Some(name) = unknown.first() else {
        return Ok(());
    };
    let short = known.iter().filter_map(|full| full.split('/').next_back());
    let (near, known) = (did_you_mean(name, short), known.join(", "));
    Err(Failure::mistake(Text::new(
        format!("there is no case `{name}`{}\nknown cases: {known}", near.en),
        format!("没有测试点 `{name}`{}\n已有的测试点：{known}", near.zh),
    )))
}

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

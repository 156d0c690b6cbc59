//! The cases of a test: which of them run, and how to reproduce them by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_intake::Submission;
use grader_language::language;
use grader_model::{Excerpt, ProblemId, escaped};
use grader_problem::{Assignment, Case, Problem, Subtask};
use grader_report::TestCase;

use crate::assignment::did_you_mean;
use crate::command_line::typed;
use crate::exit::Mistake;

/// At most so many bytes of a case's input are shown.
const MAX_INPUT_SHOWN: usize = 1024;
/// Longer input is not put into a command line.
const MAX_INPUT_TYPED: usize = 80;

/// Keeps the cases that are named, `n=6` or `small/n=6`; all if none is. The names of hidden cases are not known here.
pub(super) fn keep(assignment: &mut Assignment, names: &[String]) -> Result<(), Mistake> {
    let full = |subtask: &Subtask, case: &Case| format!("{}/{}", subtask.name, case.name);
    let subtasks = assignment.problems.iter();
    let subtasks = subtasks.flat_map(|entry| &entry.problem.subtasks);
    let open = subtasks.filter(|subtask| !subtask.hidden);
    let known: Vec<(String, String)> = open
        .flat_map(|it| {
            it.cases
                .iter()
                .map(|case| (case.name.to_string(), full(it, case)))
        })
        .collect();
    for name in names {
        if !known
            .iter()
            .any(|(short, full)| short == name || full == name)
        {
            let near = did_you_mean(name, known.iter().map(|(short, _)| short.as_str()));
            let all: Vec<&str> = known.iter().map(|(_, full)| full.as_str()).collect();
            let (name, all) = (escaped(name.as_bytes()), all.join(", "));
            return Err(Mistake::new(
                format!("there is no case `{name}`{}\nknown cases: {all}", near.en),
                format!("没有测试点 `{name}`{}\n已有的测试点：{all}", near.zh),
            ));
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    for entry in &mut assignment.problems {
        let mut problem = Problem::clone(&entry.problem);
        problem.subtasks.retain_mut(|subtask| {
            let all = subtask.cases.len();
            let is_wanted = |case: &Case| {
                let full = full(subtask, case);
                let mut names = names.iter();
                names.any(|name| *name == case.name.as_str() || *name == full)
            };
            let mut kept = subtask.cases.clone();
            kept.retain(|case| !subtask.hidden && is_wanted(case));
            subtask.points = subtask.points.share(kept.len(), all);
            subtask.cases = kept;
            // One size shows no growth, and what is required may not run.
            subtask.growth = None;
            subtask.require.clear();
            !subtask.cases.is_empty()
        });
        entry.problem = Arc::new(problem);
    }
    let runs = |problem: &Problem| !problem.subtasks.is_empty();
    assignment.problems.retain(|entry| runs(&entry.problem));
    Ok(())
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
            cases.extend(subtask.cases.iter().map(|case| TestCase {
                problem: problem.id.clone(),
                subtask: subtask.name.clone(),
                name: case.name.clone(),
                hidden: subtask.hidden,
                input:
                    (!case.input.is_empty()).then(|| Excerpt::block(&case.input, MAX_INPUT_SHOWN)),
                command: submission.and_then(|it| command(it, problem, case)),
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
    let command = typed(words.iter());
    if case.input.is_empty() {
        return Some(command);
    }
    if problem.run.input_file.is_some() || case.input.len() > MAX_INPUT_TYPED {
        return None;
    }
    let input = std::str::from_utf8(&case.input).ok()?;
    let escapes = input.replace('\\', r"\\").replace('%', "%%");
    let format = typed([escapes.replace('\n', r"\n")].iter());
    Some(format!("printf {format} | {command}"))
}

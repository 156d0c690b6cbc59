//! `grader test`.

use std::collections::BTreeMap;

use grader_intake::{Class, IntakeError, Student, Submission, read_files};
use grader_judge::Stop;
use grader_model::{ProblemId, Sink, StudentId, Verdict};
use grader_problem::Assignment;
use grader_report::{Fold, TestView};

use crate::assignment;
use crate::cli::TestArgs;
use crate::exit::{Exit, Mistake};
use crate::judge;
use crate::terminal::Terminal;

pub(crate) fn run(args: &TestArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (mut assignment, submissions) = choose(args, terminal)?;
    assignment
        .problems
        .retain(|entry| submissions.contains_key(&entry.problem.id));
    let class = Class {
        students: vec![Student {
            id: StudentId::new(terminal.lang().pick("you", "你")),
            submissions,
            faults: BTreeMap::new(),
            unused: Vec::new(),
        }],
        unused: Vec::new(),
    };
    let stop = Stop::new();
    // One program at a time: the cases are shown as they end, in their order.
    let judge = judge::judge(std::num::NonZeroUsize::new(1), &stop, terminal)?;
    let mut fold = Fold::new();
    let summary = {
        let mut view = TestView::new(&terminal.style(), terminal.stdout());
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut view];
        judge.grade(&assignment, &class, &mut sinks)
    };
    if let Some(error) = summary.sink_errors.into_iter().next() {
        return Err(error.into());
    }
    if summary.interrupted {
        return Ok(Exit::Interrupted);
    }
    let results = fold.results();
    let mut verdicts = results
        .iter()
        .flat_map(|results| &results.students)
        .flat_map(|student| &student.problems)
        .map(|problem| problem.verdict);
    Ok(verdicts
        .try_fold(Exit::Done, |exit, verdict| match verdict {
            Verdict::JudgeError => Err(Exit::Fault),
            Verdict::Accepted => Ok(exit),
            Verdict::PartiallyCorrect
            | Verdict::PresentationError
            | Verdict::WrongAnswer
            | Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError
            | Verdict::CompileError
            | Verdict::Skipped => Ok(Exit::Unmet),
        })
        .unwrap_or_else(|fault| fault))
}

/// The assignment that the files belong to: the one named, else the first that knows a problem for them.
fn choose(
    args: &TestArgs,
    terminal: &Terminal,
) -> anyhow::Result<(Assignment, BTreeMap<ProblemId, Submission>)> {
    let places = match &args.assignment.assignment {
        Some(name) => vec![assignment::find(name)?],
        None => assignment::all_bundled(),
    };
    let problem = args.problem.as_ref().map(ProblemId::new);
    let mut first_error: Option<IntakeError> = None;
    let mut known = Vec::new();
    let mut assignments = Vec::new();
    for place in &places {
        assignments.push(place.load_whole(terminal)?);
    }
    // The main assignment comes first: `n-queens` before the practice.
    assignments.sort_by_key(|assignment| assignment.info().bonus == grader_model::Points::ZERO);
    for assignment in assignments {
        known.extend(
            assignment
                .problems
                .iter()
                .map(|entry| entry.problem.id.to_string()),
        );
        if let Some(problem) = &problem
            && !assignment
                .problems
                .iter()
                .any(|entry| entry.problem.id == *problem)
        {
            continue;
        }
        match read_files(
            &args.files,
            &assignment,
            problem.as_ref(),
            &grader_language::recognise,
        ) {
            Ok(submissions) => return Ok((assignment, submissions)),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match (first_error, problem) {
        (Some(error), _) => Err(error.into()),
        (None, problem) => {
            let name = problem
                .map(|problem| problem.to_string())
                .unwrap_or_default();
            Err(Mistake(format!(
                "there is no problem `{}`; known are {}",
                grader_model::escaped(name.as_bytes()),
                known.join(", ")
            ))
            .into())
        }
    }
}

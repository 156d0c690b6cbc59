//! Inputs on which failing programs fail.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_intake::Submission;
use grader_judge::Judge;
use grader_model::{CaseResult, ProblemInfo, ProblemResult, Results, Status, Verdict, counted};
use grader_problem::Entry;
use grader_search::Explainer;
use grader_session::Location;
use grader_store::Run;
use grader_view::is_right;

use super::Task;
use crate::search::{failure, space_or_note};
use crate::terminal::Terminal;

/// Submissions by their names, and by whose they are if each student has other values.
type Programs<'a> = BTreeMap<(String, Option<&'a str>), &'a Submission>;

/// Searches for an input on which each program that failed fails, for so long, and adds it to the results and to the ledger.
/// Ends early on a request to stop.
pub(super) fn explain(
    judge: &Judge,
    task: &Task,
    location: &Location,
    (run, results): (Option<&Run>, &mut Results),
    time: Duration,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    for entry in &task.assignment.problems {
        let id = &entry.problem.id;
        let Some(info) = results.assignment.problems.iter().find(|it| it.id == *id) else {
            continue;
        };
        let info = info.clone();
        let programs = failed(results, task, entry, &info);
        if programs.is_empty() {
            continue;
        }
        let Some(space) = space_or_note(&entry.problem, location, terminal) else {
            continue;
        };
        let count = programs.len();
        let failing = counted(count, "failing program", "failing programs");
        terminal.note(
            format!("{id}: searching for inputs for {failing}"),
            format!("{id}：为 {count} 个出错的程序搜索输入"),
        );
        let (mut fault, mut unconfirmed) = (None, 0);
        for ((name, owner), submission) in programs {
            let explainer = Explainer {
                judge,
                entry: &entry.for_student(owner.unwrap_or_default()),
                space: &space,
                library: location.library.as_ref(),
                time,
            };
            match explainer.explain(submission) {
                Ok(Some(outcome)) => {
                    fault = fault.or(outcome.problem_fault);
                    unconfirmed += usize::from(outcome.unconfirmed.is_some());
                    if let Some(case) = outcome.found {
                        add(&name, owner, case, &info, run, results)?;
                    }
                }
                Ok(None) => {}
                Err(error) if error.is_stop() => return Ok(()),
                Err(error) => {
                    terminal.error(&failure(error));
                    return Ok(());
                }
            }
        }
        if let Some(fault) = fault {
            terminal.warn(format!("{id}: {}", fault.en), format!("{id}：{}", fault.zh));
        }
        if unconfirmed > 0 {
            let failed = counted(unconfirmed, "program", "programs");
            terminal.note(
                format!("{id}: {failed} failed on another input, but there was not enough time to confirm that: try a longer `--time`"),
                format!("{id}：{unconfirmed} 个程序在其他输入上出过错，但时间不够，未能确认：请延长 `--time`"),
            );
        }
    }
    Ok(())
}

/// The programs for a problem that failed and have no counterexample. Those that are too slow fail on large inputs only.
fn failed<'a>(
    results: &Results,
    task: &'a Task,
    entry: &Entry,
    info: &ProblemInfo,
) -> Programs<'a> {
    let is_wanted = |it: &ProblemResult| {
        let has_failed = it.status == Status::Judged && !is_right(it);
        has_failed && it.verdict != Verdict::TimeLimit && it.counterexample.is_none()
    };
    let is_asked = |id| task.part.has_student(id) && task.part.has_problem(&info.id);
    let students = results.students.iter().filter(|it| is_asked(&it.id));
    let named = students.filter_map(|student| {
        let problem = student.problem(&info.id).filter(|it| is_wanted(it))?;
        let mut own = task.class.students.iter();
        let own = own.find(|it| it.id == student.id)?;
        let owner = entry.problem.needs_student().then(|| own.owner());
        let name = (problem.submission.clone()?, owner);
        Some((name, own.submissions.get(&info.id)?))
    });
    named.collect()
}

fn add(
    name: &str,
    owner: Option<&str>,
    case: CaseResult,
    info: &ProblemInfo,
    run: Option<&Run>,
    results: &mut Results,
) -> anyhow::Result<()> {
    let students = results.students.iter_mut().filter(|it| {
        let own = it.team.as_deref().unwrap_or(it.id.as_str());
        owner.is_none_or(|owner| owner == own)
    });
    let problems = students.flat_map(|it| &mut it.problems);
    for problem in problems.filter(|it| it.id == info.id) {
        if problem.submission.as_deref() == Some(name) {
            problem.counterexample = Some(Box::new(case.clone()));
        }
    }
    // With other values, the same files may be right.
    if let Some(run) = run.filter(|_| owner.is_none()) {
        run.add_counterexamples(info, &BTreeMap::from([(name.to_owned(), case)]))?;
    }
    Ok(())
}

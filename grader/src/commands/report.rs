//! `grader report`.

use std::io::Write as _;

use grader_judge::{Rejudged, rejudge};
use grader_model::{ProblemId, Results, StudentId, Text};

use crate::assignment::{self, USUAL};
use crate::cli::ReportArgs;
use crate::exit::{Exit, Mistake};
use crate::kept::Kept;
use crate::terminal::Terminal;
use crate::{bundled, class_report};

pub(crate) fn run(args: &ReportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    args.report.check()?;
    let kept = Kept::find(args.source.as_deref())?;
    let mut results = kept.results(args.run)?;
    let ids: Vec<&StudentId> = results.students.iter().map(|student| &student.id).collect();
    args.report.check_students(&ids, kept.path())?;
    // Nobody else enters the report, nor what is said about it.
    results
        .students
        .retain(|known| args.report.includes(&known.id));
    let report = args.report.prepare(&results.assignment)?;
    if results.interrupted && kept.is_running(results.run.as_ref().map(|run| run.id)) {
        let words = terminal.lang().pick(
            "this run is being graded now: what follows is what is known so far",
            "这次评测正在进行：以下是目前已知的结果",
        );
        writeln!(terminal.stderr(), "{words}")?;
    }
    if let Some(factor) = args.again.time_factor {
        results = again(args, &results, factor, terminal)?;
    }
    report.give(&results, terminal)?;
    Ok(
        if results.interrupted || class_report::has_faults(&results) {
            Exit::Fault
        } else {
            Exit::Done
        },
    )
}

/// Judges the results again, and says on standard error what was and was not.
fn again(
    args: &ReportArgs,
    results: &Results,
    factor: f64,
    terminal: &Terminal,
) -> anyhow::Result<Results> {
    let graded = results.assignment.id.as_str();
    let usual = if bundled::folders().contains(&graded) {
        graded
    } else {
        USUAL
    };
    let name = args.again.assignment.as_deref().unwrap_or(usual);
    let assignment = assignment::find(name)?.load_whole(terminal)?;
    let only = args.again.problem.as_deref().map(ProblemId::new);
    let rejudged = rejudge(results, &assignment, factor, only.as_ref())
        .map_err(|error| Mistake(error.text()))?;
    for line in said(&rejudged, factor) {
        writeln!(terminal.stderr(), "{}", line.get(terminal.lang()))?;
    }
    Ok(rejudged.results)
}

/// What is said beside results that were judged again, a line each.
fn said(rejudged: &Rejudged, factor: f64) -> Vec<Text> {
    let mut lines = Vec::new();
    for problem in &rejudged.problems {
        let (id, with, lost) = (&problem.id, problem.graded_with, problem.lost);
        let runs = if lost == 1 { "run is" } else { "runs are" };
        lines.push(Text::new(
            format!(
                "`{id}`: judged again by {factor} times the reference's time instead of {with}; {lost} more {runs} over the limit"
            ),
            format!("`{id}`：限制由参考用时的 {with} 倍改为 {factor} 倍，重新判定；新增 {lost} 次超时"),
        ));
    }
    if !rejudged.absolute.is_empty() {
        let ids: Vec<String> = rejudged
            .absolute
            .iter()
            .map(|id| format!("`{id}`"))
            .collect();
        lines.push(Text::new(
            format!(
                "left as graded, the limit is no multiple: {}",
                ids.join(", ")
            ),
            format!("限制不是倍数，保持原判：{}", ids.join("、")),
        ));
    }
    if !rejudged.aside.is_empty() {
        let aside = rejudged.aside.iter();
        let names: Vec<String> = aside.map(|(id, name)| format!("`{id}/{name}`")).collect();
        lines.push(Text::new(
            format!(
                "left as graded, judged by growth or by several attempts: {}",
                names.join(", ")
            ),
            format!("按增长或多次尝试评判，保持原判：{}", names.join("、")),
        ));
    }
    lines
}

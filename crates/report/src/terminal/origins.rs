//! What was reused from earlier runs, and why the rest was not.

use std::collections::BTreeSet;

use grader_model::{Change, Origin, ProblemResult, Results, RunInfo};

use crate::layout::Page;
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// At most so many runs are named; more are counted.
const MAX_NAMED_RUNS: usize = 3;

/// One line: what was reused from which runs, and why the rest was graded. Nothing if no earlier run has any of the
/// submissions.
pub(super) fn origins(page: &mut Page, results: &Results, style: &Style) {
    let mut runs = BTreeSet::new();
    let (mut reused, mut graded) = (0, 0);
    let mut reasons: Vec<(&[Change], usize)> = Vec::new();
    let problems = results.students.iter().flat_map(|it| &it.problems);
    for origin in problems.filter_map(|problem| problem.origin.as_ref()) {
        match origin {
            Origin::Reused { run } => {
                reused += 1;
                runs.insert(*run);
            }
            Origin::Ran { because } => {
                graded += 1;
                match reasons.iter_mut().find(|(known, _)| known == because) {
                    Some((_, count)) => *count += 1,
                    None => reasons.push((because, 1)),
                }
            }
        }
    }
    if reused == 0 && reasons.iter().all(|(because, _)| because.is_empty()) {
        return;
    }
    let all = reused + graded;
    let mut line = if reused == 0 {
        style.pick(
            format!("none of {all} submissions taken from earlier runs"),
            format!("{all} 份程序均未沿用以前的结果"),
        )
    } else {
        let runs = named(&runs, style);
        style.pick(
            format!("{reused} of {all} submissions taken from {runs}"),
            format!("{all} 份程序中 {reused} 份沿用{runs}的结果"),
        )
    };
    if graded > 0 {
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let reasons = reasons.iter().map(|(because, count)| match because {
            [] => style.pick(format!("{count} new"), format!("新提交 {count} 份")),
            _ => {
                let why = changes(because, style);
                style.pick(format!("{count} {why}"), format!("{why} {count} 份"))
            }
        });
        let reasons: Vec<String> = reasons.collect();
        let reasons = reasons.join(style.words().say(Phrase::Comma));
        line.push_str(&style.pick(
            format!("; {graded} judged: {reasons}"),
            format!("；重新评测 {graded} 份：{reasons}"),
        ));
    }
    page.line(0, &line);
}

fn named(runs: &BTreeSet<u64>, style: &Style) -> String {
    let count = runs.len();
    let ids: Vec<String> = runs.iter().map(u64::to_string).collect();
    if count > MAX_NAMED_RUNS {
        return style.pick(
            format!("{count} earlier runs"),
            format!("以前 {count} 次评测"),
        );
    }
    let noun = if count == 1 { "run" } else { "runs" };
    style.pick(
        format!("{noun} {}", ids.join(", ")),
        format!("第 {} 次评测", ids.join("、")),
    )
}

fn changes(changes: &[Change], style: &Style) -> String {
    let texts = changes.iter().map(|change| change.text());
    let texts: Vec<String> = texts.map(|text| text.get(style.lang).to_owned()).collect();
    texts.join(style.pick(" and ", "、"))
}

/// Which run of the ledger these results are: `run 3, begun 2026-11-22 05:23:47 UTC`.
pub(super) fn run(info: &RunInfo, style: &Style) -> String {
    let began = safe(&info.began).replace('T', " ").replace('Z', " UTC");
    let id = info.id;
    style.pick(
        format!("run {id}, begun {began}"),
        format!("第 {id} 次评测，开始于 {began}"),
    )
}

/// Where the result of one submission comes from.
pub(super) fn origin_line(page: &mut Page, indent: usize, problem: &ProblemResult, style: &Style) {
    let line = match &problem.origin {
        Some(Origin::Reused { run }) => style.pick(
            format!("taken from run {run}: nothing has changed since"),
            format!("沿用第 {run} 次评测的结果：之后没有变化"),
        ),
        Some(Origin::Ran { because }) if !because.is_empty() => {
            let why = changes(because, style);
            style.pick(
                format!("judged in this run: {why}"),
                format!("本次重新评测：{why}"),
            )
        }
        Some(Origin::Ran { .. }) | None => return,
    };
    page.line(indent, &Tone::Faint.on(line));
}

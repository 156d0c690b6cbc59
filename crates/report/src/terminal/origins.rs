//! What was reused from earlier runs, and why the rest was not.

use std::collections::BTreeMap;

use grader_model::{Change, Origin, ProblemResult, Results, RunInfo};

use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// One line: how much was reused, and why the rest was graded. Nothing if no earlier run has any of the
/// submissions.
pub(super) fn origins(page: &mut Page, results: &Results) {
    let style = &page.style();
    let mut reused = 0;
    let new = style.pick("new", "新提交");
    let mut judged: BTreeMap<String, usize> = BTreeMap::new();
    let problems = results.students.iter().flat_map(|it| &it.problems);
    for origin in problems.filter_map(|problem| problem.origin.as_ref()) {
        let why = match origin {
            Origin::Reused { .. } => {
                reused += 1;
                continue;
            }
            Origin::Ran { because } if because.is_empty() => new.to_owned(),
            Origin::Ran { because } => changes(because, style),
        };
        *judged.entry(why).or_default() += 1;
    }
    if reused == 0 && judged.keys().all(|why| why == new) {
        return;
    }
    let graded: usize = judged.values().sum();
    let all = reused + graded;
    let mut line = style.pick(
        format!("results of {reused} of {all} submissions reused from earlier runs"),
        format!("{all} 份程序中 {reused} 份沿用以前的结果"),
    );
    if graded > 0 {
        let reasons = judged.iter().rev().map(|(why, count)| {
            style.pick(format!("{why} ({count})"), format!("{why}（{count}）"))
        });
        let reasons = reasons.collect::<Vec<_>>().join(style.comma());
        line += &style.pick(
            format!("; {graded} judged: {reasons}"),
            format!("；评测 {graded} 份：{reasons}"),
        );
    }
    page.line(0, &line);
}

/// Why results were not reused: `source changed and compiler changed`.
pub(crate) fn changes(changes: &[Change], style: &Style) -> String {
    let texts = changes.iter().map(|change| style.text(&change.text()));
    texts.collect::<Vec<_>>().join(style.pick(" and ", "、"))
}

/// Which run of the ledger these results are: `run 3, started 2026-11-22 05:23:47 UTC`.
pub(crate) fn run(info: &RunInfo, style: &Style) -> String {
    let began = safe(&info.began).replace('T', " ").replace('Z', " UTC");
    let id = info.id;
    style.pick(
        format!("run {id}, started {began}"),
        format!("第 {id} 次评测，开始于 {began}"),
    )
}

/// Where the result of one submission comes from.
pub(super) fn origin_line(page: &mut Page, indent: usize, problem: &ProblemResult) {
    let style = &page.style();
    let line = match &problem.origin {
        Some(Origin::Reused { run }) => style.pick(
            format!("reused from run {run}"),
            format!("沿用第 {run} 次评测的结果"),
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

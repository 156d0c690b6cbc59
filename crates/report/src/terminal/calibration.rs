//! What the limits of a class were measured with, and how many results are close.

use grader_model::{CaseResult, GrowthVerdict, ReferenceTime, Results};

use super::explain::is_settled;
use crate::layout::{Page, blanks, left, right, width};
use crate::style::{Style, safe};
use crate::words::{CloseCalls, Phrase};

/// The largest reference time of each problem that has one, with what is to be known of it; and how many results are close.
pub(super) fn calibration(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let colon = words.say(Phrase::Colon);
    let rows = rows(results, style);
    let widest = |part: fn(&Row) -> &str| {
        let widths = rows.iter().map(|row| width(part(row)));
        widths.max().unwrap_or(0)
    };
    let (problem, time) = (widest(|row| &row.problem), widest(|row| &row.time));
    let mut title = format!("{}{colon}", words.say(Phrase::Calibration));
    for row in &rows {
        let what = format!(
            "{}  {}  ",
            left(&row.problem, problem),
            right(&row.time, time)
        );
        let beside = width(&title) + width(&what);
        // On a narrow terminal everything stands under the first column.
        if beside * 2 > style.columns() {
            page.hang(0, &title, &format!("{what}{}", row.about));
        } else {
            page.hang(0, &format!("{title}{what}"), &row.about);
        }
        title = blanks(width(&title));
    }
    let close = words.close_calls(close_calls(results));
    if !close.is_empty() {
        let mut label = format!("{}{colon}", words.say(Phrase::CloseCalls));
        for kind in close {
            page.hang(0, &label, &kind);
            label = blanks(width(&label));
        }
    }
}

/// One problem: its largest reference time, of which case, and how well it is known.
struct Row {
    problem: String,
    time: String,
    about: String,
}

fn rows(results: &Results, style: &Style) -> Vec<Row> {
    let words = style.words();
    let problems = results.assignment.problems.iter();
    problems
        .filter_map(|problem| {
            let mine = || {
                results
                    .reference_times
                    .iter()
                    .filter(|y| y.problem == problem.id)
            };
            let largest = mine().max_by_key(|reference_time| reference_time.cpu)?;
            let place = format!(
                "{}/{}",
                safe(largest.subtask.as_str()),
                safe(largest.case.as_str())
            );
            let known = words.measured(spread(largest), largest.samples);
            Some(Row {
                problem: safe(problem.id.as_str()),
                time: largest.cpu.to_string(),
                about: format!("{place}{}{known}", words.say(Phrase::Comma)),
            })
        })
        .collect()
}

/// By how many percent the largest measurement is above the smallest; nothing where there is only one.
fn spread(reference_time: &ReferenceTime) -> Option<f64> {
    let ratio = reference_time.largest.0.as_secs_f64() / reference_time.cpu.0.as_secs_f64();
    let percent = (ratio - 1.0) * 100.0;
    (reference_time.samples > 1 && percent.is_finite()).then_some(percent.max(0.0))
}

fn close_calls(results: &Results) -> CloseCalls {
    let problems = results.students.iter().flat_map(|s| &s.problems);
    let mut close = CloseCalls::default();
    for subtask in problems.flat_map(|problem| &problem.subtasks) {
        let near = |case: &&CaseResult| case.near_limit;
        for case in subtask.cases.iter().filter(near) {
            if is_settled(case) {
                close.settled += 1;
            } else {
                close.open += 1;
            }
        }
        let attempts = subtask.cases.iter().filter_map(|c| c.attempts.as_ref());
        close.chances += attempts.filter(|attempts| attempts.is_doubtful()).count();
        let growth = subtask.growth.as_ref().map(|growth| growth.verdict);
        if growth == Some(GrowthVerdict::Unresolved) {
            close.growths += 1;
        }
    }
    close
}

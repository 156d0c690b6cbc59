//! What the limits of a class were measured with, and how many results are close.

use std::time::Duration;

use grader_model::{CaseResult, CpuTime, GrowthVerdict, ProblemInfo, Results, Yardstick};

use super::explain::is_settled;
use crate::layout::{Page, blanks, left, right, width};
use crate::style::{Style, safe};
use crate::words::{CloseCalls, Phrase};

/// The largest yardstick of each problem that has one, with what is to be known of it; and how many results are close.
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
        let inner = if beside * 2 > style.columns() {
            page.hang(0, &title, &format!("{what}{}", row.about));
            width(&title)
        } else {
            page.hang(0, &format!("{title}{what}"), &row.about);
            beside
        };
        for note in &row.notes {
            page.hang(inner, "", note);
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

/// One problem: its largest yardstick, of which case, how well it is known, and what to know of its limits.
struct Row {
    problem: String,
    time: String,
    about: String,
    notes: Vec<String>,
}

fn rows(results: &Results, style: &Style) -> Vec<Row> {
    let words = style.words();
    let problems = results.assignment.problems.iter();
    problems
        .filter_map(|problem| {
            let mine = || {
                results
                    .yardsticks
                    .iter()
                    .filter(|y| y.problem == problem.id)
            };
            let largest = mine().max_by_key(|yardstick| yardstick.cpu)?;
            // A change of the machine is met by some of the cases, not by all.
            let drifts = mine().map(|yardstick| yardstick.drifts).max().unwrap_or(0);
            let place = format!(
                "{}/{}",
                safe(largest.subtask.as_str()),
                safe(largest.case.as_str())
            );
            let known = words.measured(spread(largest), largest.samples, largest.kept);
            let mut notes = Vec::new();
            if drifts > 0 {
                notes.push(words.drifted(drifts));
            }
            if let Some((wanted, ceiling)) = cut(problem, largest) {
                notes.push(words.cut_limit(&wanted.to_string(), &ceiling.to_string()));
            }
            Some(Row {
                problem: safe(problem.id.as_str()),
                time: largest.cpu.to_string(),
                about: format!("{place}{}{known}", words.say(Phrase::Comma)),
                notes,
            })
        })
        .collect()
}

/// The limit that a multiple of the reference's time would be on this machine and the ceiling that cuts it, for the
/// language with the shortest limits: then the machine is too slow for the problem's rule, and limits are strict.
fn cut(problem: &ProblemInfo, yardstick: &Yardstick) -> Option<(CpuTime, CpuTime)> {
    let time = problem.time.as_ref()?;
    let (factor, ceiling) = (time.factor?, time.at_most?);
    let least = time.languages.values().copied().reduce(f64::min)?;
    let wanted = yardstick.cpu.0.as_secs_f64() * factor * least;
    let wanted = CpuTime(Duration::try_from_secs_f64(wanted).ok()?);
    (wanted > ceiling).then_some((wanted, ceiling))
}

/// By how many percent the largest measurement is above the smallest; nothing where there is only one.
fn spread(yardstick: &Yardstick) -> Option<f64> {
    let ratio = yardstick.largest.0.as_secs_f64() / yardstick.cpu.0.as_secs_f64();
    let percent = (ratio - 1.0) * 100.0;
    (yardstick.samples > 1 && percent.is_finite()).then_some(percent.max(0.0))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_ceiling_below_what_the_reference_asks_for_is_told() {
        let mut results = sample::results();
        let calibration = |results: &Results| {
            let style = Style::default();
            let mut page = Page::new(&style);
            calibration(&mut page, results, &style);
            let text = page.finish();
            let first = text.lines().take(4).map(str::to_owned);
            first.collect::<Vec<_>>()
        };
        let before = calibration(&results);
        let count = &mut results.assignment.problems[0];
        count.time.as_mut().unwrap().at_most = Some(CpuTime::from_millis(5000));
        let after = calibration(&results);
        assert_eq!(before[..2], after[..2]);
        assert_eq!(
            after[2..],
            [
                "                                too slow a machine: the limit would be 9.15 s,",
                "                                but `at-most` holds it at 5 s"
            ]
        );
    }
}

//! A class: what an instructor sees when grading ends.

use grader_model::{IsolationLevel, Points, Results};

use super::{attention, calibration, graded, origins, table};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};
use crate::words::{ClassNumbers, Phrase};

/// The class on one page: where it was graded and how safely, a table of points, and what needs a human.
pub fn class(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, results, style);
    if !results.students.is_empty() {
        page.gap();
        table::table(&mut page, results, style);
    }
    page.gap();
    statistics(&mut page, results, style);
    origins::origins(&mut page, results, style);
    page.gap();
    calibration::calibration(&mut page, results, style);
    page.gap();
    attention::attention(&mut page, results, style);
    page.finish()
}

pub(super) fn heading(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let info = &results.assignment;
    page.line(
        0,
        &format!(
            "{} ({})",
            Tone::Strong.on(safe(info.title.get(style.lang))),
            safe(info.id.as_str())
        ),
    );
    let size = [
        words.students(results.students.len()),
        words.assignment_worth(info.points, info.bonus),
    ];
    page.line(0, &size.join(" · "));
    let host = &results.host;
    let mut parts = Vec::new();
    if !host.cpu.is_empty() {
        parts.push(safe(&host.cpu));
    }
    parts.push(words.cores(host.cores));
    if !host.kernel.is_empty() {
        parts.push(safe(&host.kernel));
    }
    page.line(0, &parts.join(" · "));
    if let Some(run) = &results.run {
        page.line(0, &origins::run(run, style));
    }
    isolation(page, results, style);
    if results.interrupted {
        let (graded, all) = (graded_count(results), results.students.len());
        page.line(0, &Tone::Fail.on(words.interrupted(graded, all)));
    }
}

fn isolation(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let label = format!(
        "{}{}",
        words.say(Phrase::Isolation),
        words.say(Phrase::Colon)
    );
    let list = |layers: &[String]| {
        let layers: Vec<String> = layers.iter().map(|layer| safe(layer)).collect();
        layers.join(", ")
    };
    let isolation = &results.isolation;
    let level = match isolation.level {
        IsolationLevel::Strict => words.say(Phrase::LayersStrict).to_owned(),
        IsolationLevel::Basic => format!(
            "{}{}{}",
            words.say(Phrase::LayersBasic),
            words.say(Phrase::Comma),
            Tone::Fail.on(words.say(Phrase::NotASandbox))
        ),
    };
    let layers = match isolation.layers.as_slice() {
        [] => String::new(),
        layers => format!(" ({})", list(layers)),
    };
    let missing = match isolation.missing.as_slice() {
        [] => String::new(),
        missing => {
            let (label, colon) = (words.say(Phrase::Missing), words.say(Phrase::Colon));
            let missing = format!("{label}{colon}{}", list(missing));
            format!(" · {}", Tone::Fail.on(missing))
        }
    };
    let text = format!("{level}{layers}{missing}");
    page.hang(0, &label, &text);
}

fn statistics(page: &mut Page, results: &Results, style: &Style) {
    let mut points: Vec<Points> = results
        .students
        .iter()
        .filter_map(grader_model::StudentResult::points)
        .collect();
    points.sort_unstable();
    let numbers = mean(&points).zip(median(&points)).map(|(mean, median)| {
        let full = points
            .iter()
            .filter(|points| **points >= results.assignment.points);
        ClassNumbers {
            mean,
            median,
            full: full.count(),
        }
    });
    let line = style.words().statistics(
        graded_count(results),
        results.students.len(),
        numbers.as_ref(),
    );
    page.line(0, &line);
}

fn graded_count(results: &Results) -> usize {
    results
        .students
        .iter()
        .filter(|student| graded(student))
        .count()
}

/// The mean, rounded half up to a hundredth; nothing of nothing.
pub(super) fn mean(points: &[Points]) -> Option<Points> {
    let count = points.len() as u64;
    let sum: Points = points.iter().copied().sum();
    (count > 0).then(|| hundredths(sum.thousandths(), count))
}

/// The median of sorted points; of an even number the mean of the two in the middle.
fn median(sorted: &[Points]) -> Option<Points> {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    mean(sorted.get(middle.checked_sub(1)?..=middle)?)
}

fn hundredths(thousandths: u64, count: u64) -> Points {
    Points::from_thousandths((thousandths + 5 * count) / (10 * count) * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[u32]) -> Vec<Points> {
        values.iter().map(|value| Points::whole(*value)).collect()
    }

    #[test]
    fn mean_and_median_are_exact_to_a_hundredth_and_absent_for_nobody() {
        assert_eq!(mean(&[]), None);
        assert_eq!(median(&[]), None);
        assert_eq!(mean(&points(&[1, 2, 2])).unwrap().to_string(), "1.67");
        assert_eq!(median(&points(&[1, 2, 9])).unwrap().to_string(), "2");
        assert_eq!(median(&points(&[1, 2, 3, 9])).unwrap().to_string(), "2.5");
    }
}

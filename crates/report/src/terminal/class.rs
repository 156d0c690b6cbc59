//! A class: what an instructor sees when grading ends.

use grader_model::{IsolationLevel, Points, Results, Standing, StudentResult};

use super::points::{self, mean};
use super::{attention, origins};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// The class on one page: where it was graded and how safely, a table of points, and what needs a human.
pub fn class(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, results);
    if !results.students.is_empty() {
        page.gap();
        points::points(&mut page, results);
    }
    page.gap();
    page.line(0, &statistics(results, style));
    origins::origins(&mut page, results);
    page.gap();
    attention::attention(&mut page, results);
    page.finish()
}

/// The title of the assignment.
pub(super) fn title(page: &mut Page, results: &Results) {
    let info = &results.assignment;
    let title = Tone::Strong.on(page.style().text(&info.title));
    page.line(0, &format!("{title} ({})", safe(info.id.as_str())));
}

fn heading(page: &mut Page, results: &Results) {
    let style = &page.style();
    let info = &results.assignment;
    title(page, results);
    let students = style.students(results.students.len());
    let worth = style.assignment_worth(info);
    page.line(0, &format!("{students} · {worth}"));
    let host = &results.host;
    let cores = style.counted(host.cores, ["core", "cores"], "核");
    let mut parts = vec![safe(&host.cpu), cores, safe(&host.kernel)];
    parts.retain(|part| !part.is_empty());
    page.line(0, &parts.join(" · "));
    if let Some(run) = &results.run {
        page.line(0, &origins::run(run, style));
    }
    isolation(page, results);
    if results.interrupted {
        page.line(0, &Tone::Fail.on(style.interrupted()));
    }
}

/// How safely it was graded.
pub(super) fn isolation(page: &mut Page, results: &Results) {
    let style = &page.style();
    let mut text = match results.isolation.level {
        IsolationLevel::Strict => style.pick("strict", "严格").to_owned(),
        IsolationLevel::Basic => {
            let warning = Tone::Fail.on(style.pick("not a sandbox", "不是沙箱"));
            style.pick(format!("basic, {warning}"), format!("基本，{warning}"))
        }
    };
    let missing = results.isolation.missing.iter().map(|layer| safe(layer));
    let missing = style.list(missing);
    if !missing.is_empty() {
        let label = style.pick("missing: ", "缺少：");
        text = format!("{text} · {}", Tone::Fail.on(format!("{label}{missing}")));
    }
    page.hang(0, style.pick("isolation: ", "隔离级别："), &text);
}

/// How many are graded, and the mean, the median and the full marks of these.
pub(crate) fn statistics(results: &Results, style: &Style) -> String {
    let points = results.graded().map(StudentResult::standing_without_bonus);
    let mut points: Vec<Points> = points.filter_map(Standing::points).collect();
    points.sort_unstable();
    let (graded, all) = (results.graded().count(), results.students.len());
    let mut parts = vec![style.pick(
        format!("graded {graded} of {all}"),
        format!("已评分 {graded} / {all} 人"),
    )];
    if let Some((mean, median)) = mean(&points).zip(median(&points)) {
        let is_full = |points: &&Points| **points >= results.assignment.points;
        let full = points.iter().filter(is_full).count();
        parts.push(style.pick(format!("mean {mean}"), format!("平均 {mean}")));
        parts.push(style.pick(format!("median {median}"), format!("中位数 {median}")));
        parts.push(style.pick(format!("{full} with full marks"), format!("满分 {full} 人")));
    }
    parts.join(" · ")
}

/// The median of sorted points; of an even number the mean of the two in the middle.
fn median(sorted: &[Points]) -> Option<Points> {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    mean(sorted.get(middle.checked_sub(1)?..=middle)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_median_are_exact_to_a_hundredth_and_absent_for_nobody() {
        let points = |values: &[u32]| -> Vec<Points> {
            values.iter().map(|value| Points::whole(*value)).collect()
        };
        assert_eq!((mean(&[]), median(&[])), (None, None));
        assert_eq!(mean(&points(&[1, 2, 2])).unwrap().to_string(), "1.67");
        assert_eq!(median(&points(&[1, 2, 9])).unwrap().to_string(), "2");
        assert_eq!(median(&points(&[1, 2, 3, 9])).unwrap().to_string(), "2.5");
    }
}

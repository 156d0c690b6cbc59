//! A class: what an instructor sees when grading ends.

use grader_model::{
    Attempts, GrowthVerdict, IsolationLevel, Points, ReferenceTime, Results, StudentResult,
};

use super::case::is_settled;
use super::{attention, graded, origins, points};
use crate::layout::{Page, blanks, table, whole, width};
use crate::style::{Style, Tone, safe};

/// The class on one page: where it was graded and how safely, a table of points, and what needs a human.
pub fn class(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, results, style);
    if !results.students.is_empty() {
        page.gap();
        points::points(&mut page, results, style);
    }
    page.gap();
    statistics(&mut page, results, style);
    origins::origins(&mut page, results, style);
    page.gap();
    reference_times(&mut page, results, style);
    page.gap();
    close_calls(&mut page, results, style);
    page.gap();
    attention::attention(&mut page, results, style);
    page.finish()
}

fn heading(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let info = &results.assignment;
    let title = Tone::Strong.on(safe(info.title.get(style.lang)));
    page.line(0, &format!("{title} ({})", safe(info.id.as_str())));
    let students = words.students(results.students.len());
    let worth = words.assignment_worth(info.points, info.bonus);
    page.line(0, &format!("{students} · {worth}"));
    let host = &results.host;
    let cores = words.counted(host.cores, ["core", "cores"], "核");
    let parts = [safe(&host.cpu), cores, safe(&host.kernel)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    page.line(0, &parts.join(" · "));
    if let Some(run) = &results.run {
        page.line(0, &origins::run(run, style));
    }
    isolation(page, results, style);
    if results.interrupted {
        let (graded, all) = (graded_count(results), results.students.len());
        let line = style.pick(
            format!("interrupted before the end: {graded} of {students} graded"),
            format!("评测被中断：{all} 名学生中已评完 {graded} 名"),
        );
        page.line(0, &Tone::Fail.on(line));
    }
}

fn isolation(page: &mut Page, results: &Results, style: &Style) {
    let isolation = &results.isolation;
    let list = |layers: &[String]| {
        let layers: Vec<String> = layers.iter().map(|layer| safe(layer)).collect();
        layers.join(", ")
    };
    let mut text = match isolation.level {
        IsolationLevel::Strict => style.pick("strict", "严格").to_owned(),
        IsolationLevel::Basic => basic(style),
    };
    if !isolation.layers.is_empty() {
        text = format!("{text} ({})", list(&isolation.layers));
    }
    if !isolation.missing.is_empty() {
        let label = style.pick("missing: ", "缺少：");
        let missing = Tone::Fail.on(format!("{label}{}", list(&isolation.missing)));
        text = format!("{text} · {missing}");
    }
    page.hang(0, style.pick("isolation: ", "隔离："), &text);
}

/// The name of the basic level, with a warning.
pub(crate) fn basic(style: &Style) -> String {
    let warning = Tone::Fail.on(style.pick("not a sandbox", "不是沙箱"));
    style.pick(format!("basic, {warning}"), format!("基本，{warning}"))
}

fn statistics(page: &mut Page, results: &Results, style: &Style) {
    let students = results.students.iter();
    let mut points: Vec<Points> = students.filter_map(StudentResult::points).collect();
    points.sort_unstable();
    let (graded, all) = (graded_count(results), results.students.len());
    let mut parts = vec![style.pick(
        format!("graded {graded} of {all}"),
        format!("已评分 {graded} / {all} 人"),
    )];
    if let Some((mean, median)) = mean(&points).zip(median(&points)) {
        let is_full = |points: &&Points| **points >= results.assignment.points;
        let full = points.iter().filter(is_full).count();
        parts.push(style.pick(format!("mean {mean}"), format!("平均 {mean}")));
        parts.push(style.pick(format!("median {median}"), format!("中位数 {median}")));
        parts.push(style.pick(format!("full marks {full}"), format!("满分 {full} 人")));
    }
    let parts: Vec<String> = parts.iter().map(|part| whole(part)).collect();
    page.line(0, &parts.join(" · "));
}

fn graded_count(results: &Results) -> usize {
    let students = results.students.iter();
    students.filter(|student| graded(student)).count()
}

/// The mean, rounded half up to a hundredth. `None` of nothing.
pub(super) fn mean(points: &[Points]) -> Option<Points> {
    let count = points.len() as u64;
    let sum: Points = points.iter().copied().sum();
    let hundredths = (sum.thousandths() + 5 * count).checked_div(10 * count)?;
    Some(Points::from_thousandths(hundredths * 10))
}

/// The median of sorted points; of an even number the mean of the two in the middle.
fn median(sorted: &[Points]) -> Option<Points> {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    mean(sorted.get(middle.checked_sub(1)?..=middle)?)
}

/// The slowest case of the reference of each problem whose limits follow from it.
fn reference_times(page: &mut Page, results: &Results, style: &Style) {
    let slowest = results.assignment.problems.iter().filter_map(|problem| {
        let times = results.reference_times.iter();
        let times = times.filter(|time| time.problem == problem.id);
        times.max_by_key(|time| time.cpu)
    });
    let slowest: Vec<&ReferenceTime> = slowest.collect();
    if slowest.is_empty() {
        return;
    }
    let title = style.pick(
        "Reference times: the slowest case of each problem",
        "参考程序用时：每题最慢的测试点",
    );
    page.line(0, title);
    let rows = slowest.iter().map(|time| {
        let (problem, subtask) = (safe(time.problem.as_str()), safe(time.subtask.as_str()));
        let case = format!("{subtask}/{}", safe(time.case.as_str()));
        vec![problem, time.cpu.to_string(), case]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (label, time) in labels.iter().zip(slowest) {
        page.hang(2, label, &Tone::Faint.on(measured(time, style)));
    }
}

/// `measured 3 times, spread 8 %`: how far the largest measurement is above the smallest.
fn measured(time: &ReferenceTime, style: &Style) -> String {
    let count = time.samples;
    if count == 1 {
        return style.pick("measured once", "测量 1 次").to_owned();
    }
    let ratio = time.largest.0.as_secs_f64() / time.cpu.0.as_secs_f64();
    let percent = (ratio - 1.0) * 100.0;
    let spread = if percent.is_finite() { percent } else { 0.0 };
    style.pick(
        format!("measured {count} times, spread {spread:.0} %"),
        format!("测量 {count} 次，相差 {spread:.0} %"),
    )
}

/// How many results are near a limit, unresolved, or due to luck.
fn close_calls(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let problems = results.students.iter().flat_map(|s| &s.problems);
    let subtasks: Vec<_> = problems.flat_map(|problem| &problem.subtasks).collect();
    let cases = || subtasks.iter().flat_map(|subtask| &subtask.cases);
    let near = cases().filter(|case| case.near_limit).count();
    let settled = cases()
        .filter(|case| case.near_limit && is_settled(case))
        .count();
    let attempts = cases().filter_map(|case| case.attempts.as_ref());
    let lucky = attempts
        .filter(|attempts| Attempts::is_doubtful(attempts))
        .count();
    let growths = subtasks
        .iter()
        .filter_map(|subtask| subtask.growth.as_ref());
    let unresolved = growths
        .filter(|it| it.verdict == GrowthVerdict::Unresolved)
        .count();
    let mut lines = Vec::new();
    if near > 0 {
        let cases = words.cases(near);
        let some = if settled == 0 {
            "none".to_owned()
        } else {
            settled.to_string()
        };
        lines.push(style.pick(
            format!("{cases} near a time limit, {some} of them settled by running again alone"),
            format!("{cases}接近时间限制，其中 {settled} 个经单独重跑已有定论"),
        ));
    }
    if unresolved > 0 {
        let subtasks = words.counted(unresolved, ["subtask", "subtasks"], "个子任务");
        lines.push(style.pick(
            format!("{subtasks} with unresolved growth"),
            format!("{subtasks}的增长无法判定"),
        ));
    }
    if lucky > 0 {
        let cases = words.cases(lucky);
        lines.push(style.pick(
            format!("{cases} that luck may have decided"),
            format!("{cases}的结果可能取决于运气"),
        ));
    }
    let mut label = style.pick("Close calls: ", "临界结果：").to_owned();
    for line in lines {
        page.hang(0, &label, &line);
        label = blanks(width(&label));
    }
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

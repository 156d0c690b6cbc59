//! The differences for people.

use grader_model::{Points, Verdict};

use super::{CaseDiff, ComparedRun, Diff, Pair, Presence, StudentDiff};
use crate::layout::{Page, whole};
use crate::style::{Style, Tone, safe};

/// Cases named for each change of verdict; more are counted.
const MAX_NAMED_CASES: usize = 8;

impl Diff {
    /// The differences for people.
    pub fn text(&self, style: &Style) -> String {
        text(self, style)
    }
}

fn text(diff: &Diff, style: &Style) -> String {
    let lang = style.lang;
    let mut page = Page::new(style);
    let name = |run: &ComparedRun| match (run.run, &run.began) {
        (Some(id), Some(began)) => {
            let began = safe(&began.replace('T', " ").replace('Z', " UTC"));
            whole(&lang.pick(
                format!("run {id} ({began})"),
                format!("第 {id} 次评测（{began}）"),
            ))
        }
        _ => "—".to_owned(),
    };
    page.line(0, &Tone::Strong.on(safe(diff.after.assignment.as_str())));
    page.line(
        0,
        &format!("{} → {}", name(&diff.before), name(&diff.after)),
    );
    for run in [&diff.before, &diff.after]
        .into_iter()
        .filter(|it| it.interrupted)
    {
        let line = lang.pick(
            "was interrupted, some results are missing",
            "被中断，部分结果缺失",
        );
        page.line(0, &Tone::Fail.on(format!("{} {line}", name(run))));
    }
    page.gap();
    page.line(0, &counts(diff, style));
    if !diff.problems.is_empty() {
        page.gap();
        page.line(0, &Tone::Strong.on(lang.pick("Problems", "题目")));
    }
    for problem in &diff.problems {
        let max = problem.max_points;
        let worth = lang.pick("worth ", "满分 ");
        let text = match max {
            Pair { before: None, .. } => lang.pick("new", "新增").to_owned(),
            Pair { after: None, .. } => lang.pick("gone", "已去掉").to_owned(),
            _ if max.differ() => format!("{worth}{}", points(max)),
            _ => lang.pick("another version", "版本不同").to_owned(),
        };
        page.hang(2, &format!("{}  ", safe(problem.id.as_str())), &text);
    }
    for (presence, en, zh) in [
        (Presence::Both, "Changed", "有变化"),
        (Presence::New, "New", "新增"),
        (Presence::Gone, "Gone", "消失"),
    ] {
        let mut students = diff
            .students
            .iter()
            .filter(|it| it.presence == presence)
            .peekable();
        if students.peek().is_some() {
            page.gap();
            page.line(0, &Tone::Strong.on(lang.pick(en, zh)));
        }
        for student in students {
            student_lines(&mut page, student, style);
        }
    }
    page.finish()
}

/// How many students each kind of difference concerns.
fn counts(diff: &Diff, style: &Style) -> String {
    let lang = style.lang;
    if diff.students.is_empty() {
        let students = style.words().students(diff.unchanged);
        return Tone::Pass.on(lang.pick(
            format!("No result changed: {students}."),
            format!("成绩没有变化：{students}。"),
        ));
    }
    let count = |presence| {
        diff.students
            .iter()
            .filter(|it| it.presence == presence)
            .count()
    };
    let parts = [
        (count(Presence::Both), "changed", "人有变化"),
        (diff.unchanged, "unchanged", "人无变化"),
        (count(Presence::New), "new", "人新增"),
        (count(Presence::Gone), "gone", "人消失"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, en, zh)| format!("{count} {}", lang.pick(en, zh)));
    parts.collect::<Vec<_>>().join(" · ")
}

fn student_lines(page: &mut Page, student: &StudentDiff, style: &Style) {
    let lang = style.lang;
    let id = Tone::Strong.on(safe(student.id.as_str()));
    let [sum, bonus] = [student.points, student.bonus].map(|it| match student.presence {
        Presence::Both => it,
        // The points of the only run.
        Presence::New | Presence::Gone => Pair {
            before: it.before.or(it.after),
            after: it.after.or(it.before),
        },
    });
    let mut total = points(sum);
    if bonus.differ() {
        total.push_str(lang.pick(", bonus ", "，附加 "));
        total.push_str(&points(bonus));
    }
    page.hang(2, &format!("{id}  "), &total);
    for problem in &student.problems {
        let mut text = format!("{}  {}", points(problem.points), verdicts(problem.verdict));
        for (index, change) in problem.because.iter().enumerate() {
            text.push_str(match index {
                0 => lang.pick(": ", "："),
                _ => lang.pick(", ", "，"),
            });
            text.push_str(change.text().get(lang));
        }
        page.hang(4, &format!("{}  ", safe(problem.id.as_str())), &text);
        case_lines(page, &problem.cases, style);
    }
}

/// One line for each change of verdict: `WA → AC  medium/n=9, medium/n=10`.
fn case_lines(page: &mut Page, cases: &[CaseDiff], style: &Style) {
    let mut rest: Vec<&CaseDiff> = cases.iter().collect();
    while let Some(first) = rest.first().map(|case| case.verdict) {
        let (same, other): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| it.verdict == first);
        let shown = same
            .iter()
            .take(MAX_NAMED_CASES)
            .map(|case| safe(&case.name));
        let mut text = shown.collect::<Vec<_>>().join(style.lang.pick(", ", "、"));
        let more = same.len().saturating_sub(MAX_NAMED_CASES);
        if more > 0 {
            text.push_str(
                &style
                    .lang
                    .pick(format!(" and {more} more"), format!("，另有 {more} 个")),
            );
        }
        page.hang(6, &format!("{}  ", verdicts(first)), &text);
        rest = other;
    }
}

/// `WA → AC`.
fn verdicts(verdict: Pair<Verdict>) -> String {
    let one = |verdict: Option<Verdict>| {
        verdict.map_or_else(|| "—".to_owned(), |it| Tone::of(it).on(it.code()))
    };
    change(&one(verdict.before), &one(verdict.after))
}

/// `16 → 19.75 (+3.75)`; points that are not known are `?`.
fn points(points: Pair<Points>) -> String {
    let one = |points: Option<Points>| points.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let difference = match points.before.zip(points.after) {
        Some((before, after)) if after > before => Tone::Pass.on(format!(" (+{})", after - before)),
        Some((before, after)) if after < before => Tone::Fail.on(format!(" (−{})", before - after)),
        Some(_) | None => String::new(),
    };
    whole(&format!(
        "{}{difference}",
        change(&one(points.before), &one(points.after))
    ))
}

fn change(before: &str, after: &str) -> String {
    if before == after {
        return after.to_owned();
    }
    whole(&format!("{before} → {after}"))
}

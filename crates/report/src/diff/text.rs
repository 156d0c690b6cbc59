//! The differences for people.

use grader_model::{Points, Verdict};

use super::{CaseDiff, ComparedRun, Diff, Pair, Presence, ProblemDiff, ResultDiff, StudentDiff};
use crate::layout::{Page, whole};
use crate::style::{Style, Tone, safe};

/// Cases named for each change of verdict; more are counted.
const MAX_NAMED_CASES: usize = 8;

pub(super) fn text(diff: &Diff, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, diff, style);
    page.gap();
    counts(&mut page, diff, style);
    let title = |page: &mut Page, en, zh, count| {
        page.gap();
        let title = Tone::Strong.on(style.lang.pick(en, zh));
        page.line(0, &format!("{title} ({count})"));
    };
    if !diff.problems.is_empty() {
        title(&mut page, "Problems", "题目", diff.problems.len());
    }
    for problem in &diff.problems {
        let label = format!("{}  ", safe(problem.id.as_str()));
        page.hang(2, &label, &problem_change(problem, style));
    }
    for (presence, en, zh) in [
        (Presence::Both, "Changed", "有变化"),
        (Presence::New, "New", "新增"),
        (Presence::Gone, "Gone", "消失"),
    ] {
        let students = diff.students.iter().filter(|it| it.presence == presence);
        let students: Vec<&StudentDiff> = students.collect();
        if !students.is_empty() {
            title(&mut page, en, zh, students.len());
        }
        for student in students {
            student_lines(&mut page, student, style);
        }
    }
    page.finish()
}

/// Which run is compared with which.
fn heading(page: &mut Page, diff: &Diff, style: &Style) {
    let assignment = |run: &ComparedRun| Tone::Strong.on(safe(run.assignment.as_str()));
    let mut line = assignment(&diff.after);
    if diff.before.assignment != diff.after.assignment {
        line = format!("{} → {line}", assignment(&diff.before));
    }
    page.line(0, &line);
    let runs = [
        (&diff.before, "the earlier run", "前一次评测"),
        (&diff.after, "the later run", "后一次评测"),
    ]
    .map(|(run, en, zh)| {
        let name = match run.run {
            Some(id) => style
                .lang
                .pick(format!("run {id}"), format!("第 {id} 次评测")),
            None => style.lang.pick(en, zh).to_owned(),
        };
        (run, name)
    });
    let dated = runs.each_ref().map(|(run, name)| match &run.began {
        Some(began) => {
            let began = safe(&began.replace('T', " ").replace('Z', " UTC"));
            whole(
                &style
                    .lang
                    .pick(format!("{name} ({began})"), format!("{name}（{began}）")),
            )
        }
        None => name.clone(),
    });
    page.line(0, &dated.join(" → "));
    for (_, name) in runs.iter().filter(|(run, _)| run.interrupted) {
        let line = style.lang.pick(
            format!("{name} was not finished: some results are not scored yet"),
            format!("{name}没有完成：部分结果尚未评分"),
        );
        page.line(0, &Tone::Fail.on(line));
    }
}

/// How many students each kind of difference concerns.
fn counts(page: &mut Page, diff: &Diff, style: &Style) {
    if diff.students.is_empty() {
        let students = style.words().students(diff.unchanged);
        let line = style.lang.pick(
            format!("No result changed: {students}."),
            format!("成绩没有变化：{students}。"),
        );
        page.line(0, &Tone::Pass.on(line));
        return;
    }
    let count = |presence| {
        let students = diff.students.iter();
        students.filter(|it| it.presence == presence).count()
    };
    let parts = [
        (count(Presence::Both), "changed", "人有变化"),
        (diff.unchanged, "unchanged", "人无变化"),
        (count(Presence::New), "new", "人新增"),
        (count(Presence::Gone), "gone", "人消失"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, en, zh)| format!("{count} {}", style.lang.pick(en, zh)));
    page.line(0, &parts.collect::<Vec<_>>().join(" · "));
}

fn problem_change(problem: &ProblemDiff, style: &Style) -> String {
    let lang = style.lang;
    let max = points(problem.max_points);
    match problem.presence {
        Presence::New => lang.pick("new", "新增").to_owned(),
        Presence::Gone => lang.pick("gone", "已去掉").to_owned(),
        Presence::Both if problem.max_points.differ() => lang.pick(
            format!("another version, worth {max}"),
            format!("题目版本不同，满分 {max}"),
        ),
        Presence::Both => lang.pick("another version", "题目版本不同").to_owned(),
    }
}

fn student_lines(page: &mut Page, student: &StudentDiff, style: &Style) {
    let id = Tone::Strong.on(safe(student.id.as_str()));
    let total = match student.presence {
        Presence::Both => points(student.points),
        Presence::New => known(student.points.after),
        Presence::Gone => known(student.points.before),
    };
    let bonus = if student.presence == Presence::Both && student.bonus.differ() {
        let bonus = points(student.bonus);
        style
            .lang
            .pick(format!(", bonus {bonus}"), format!("，附加 {bonus}"))
    } else {
        String::new()
    };
    page.hang(2, &format!("{id}  "), &format!("{total}{bonus}"));
    for problem in &student.problems {
        let label = format!("{}  ", safe(problem.id.as_str()));
        page.hang(4, &label, &problem_result(problem, style));
        for subtask in &problem.subtasks {
            let label = format!("{}  ", safe(subtask.name.as_str()));
            page.hang(6, &label, &result(subtask.points, subtask.verdict));
            case_lines(page, &subtask.cases, style);
        }
    }
}

fn problem_result(problem: &ResultDiff, style: &Style) -> String {
    let result = result(problem.points, problem.verdict);
    let why = problem.because.iter().map(|change| change.text());
    let why: Vec<String> = why.map(|text| text.get(style.lang).to_owned()).collect();
    let [comma, colon] = style.lang.pick([", ", ": "], ["，", "："]);
    match why.as_slice() {
        [] => result,
        why => format!("{result}{colon}{}", why.join(comma)),
    }
}

/// One line for each change of verdict: `WA → AC  n=9, n=10`.
fn case_lines(page: &mut Page, cases: &[CaseDiff], style: &Style) {
    let mut shown: Vec<Pair<Verdict>> = Vec::new();
    for case in cases {
        if shown.contains(&case.verdict) {
            continue;
        }
        shown.push(case.verdict);
        let same = cases.iter().filter(|other| other.verdict == case.verdict);
        let names: Vec<String> = same.map(|case| safe(case.name.as_str())).collect();
        let named = &names[..names.len().min(MAX_NAMED_CASES)];
        let mut text = named.join(style.lang.pick(", ", "、"));
        if names.len() > named.len() {
            let more = names.len() - named.len();
            text.push_str(&style.lang.pick(
                format!(" and {more} more"),
                format!("等 {} 个", names.len()),
            ));
        }
        let [before, after] = [case.verdict.before, case.verdict.after].map(code);
        page.hang(8, &format!("{before} → {after}  "), &text);
    }
}

fn code(verdict: Option<Verdict>) -> String {
    verdict.map_or_else(|| "—".to_owned(), |it| Tone::of(it).on(it.code()))
}

/// `16 PC → 19.75 AC (+3.75)`.
fn result(points: Pair<Points>, verdict: Pair<Verdict>) -> String {
    let one = |points, verdict: Option<Verdict>| match verdict {
        Some(it) => Tone::of(it).on(format!("{} {}", known(points), it.code())),
        None => "—".to_owned(),
    };
    let before = one(points.before, verdict.before);
    let after = one(points.after, verdict.after);
    if before == after {
        return whole(&after);
    }
    whole(&format!("{before} → {after}{}", change(points)))
}

/// `16 → 19.75 (+3.75)`.
fn points(points: Pair<Points>) -> String {
    let after = known(points.after);
    if !points.differ() {
        return after;
    }
    whole(&format!(
        "{} → {after}{}",
        known(points.before),
        change(points)
    ))
}

/// Points, or a question mark if they are not known yet.
fn known(points: Option<Points>) -> String {
    points.map_or_else(|| "?".to_owned(), |points| points.to_string())
}

/// ` (+3.75)`, or nothing if the points are the same or not known.
fn change(points: Pair<Points>) -> String {
    match points.before.zip(points.after) {
        Some((before, after)) if after > before => {
            format!(" ({})", Tone::Pass.on(format!("+{}", after - before)))
        }
        Some((before, after)) if after < before => {
            format!(" ({})", Tone::Fail.on(format!("−{}", before - after)))
        }
        Some(_) | None => String::new(),
    }
}

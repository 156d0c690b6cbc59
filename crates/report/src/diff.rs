//! What changed between two results of a class, for people.

use grader_model::{Standing, Verdict};
use grader_view::{
    ChangeReason, ChangedCase, ChangedProblem, ChangedStudent, Compared, ComparedRun, Comparison,
    Pair, Presence,
};

use crate::layout::{Page, whole};
use crate::style::{Style, Tone, safe};
use crate::text::moment;

/// Cases named for each problem; more are counted.
const MAX_NAMED_CASES: usize = 8;

/// What changed between two results of a class.
pub fn diff(comparison: &Comparison, style: &Style) -> String {
    let Comparison { before, after, .. } = comparison;
    let mut page = Page::new(style);
    page.line(0, &Tone::Strong.on(safe(after.assignment.as_str())));
    let [before, after] = [before, after].map(|it| run_name(it, style));
    page.line(0, &format!("{before} → {after}"));
    page.line(0, &Tone::Faint.on(style.compared(comparison.compared)));
    page.gap();
    if comparison.is_same() {
        let students = style.students(comparison.unchanged);
        page.line(
            0,
            &Tone::Pass.on(style.pick(
                format!("No result changed: {students}."),
                format!("成绩没有变化：{students}。"),
            )),
        );
        return page.finish();
    }
    for (presence, en, zh) in [
        (Presence::Both, "Changed", "有变化"),
        (Presence::New, "New", "新增"),
        (Presence::Gone, "Gone", "不再出现"),
    ] {
        let students = comparison.students.iter();
        let students = students.filter(|it| it.presence == presence);
        let count = students.clone().count();
        if count > 0 {
            let title = Tone::Strong.on(style.pick(en, zh));
            page.line(0, &(title + &style.in_heading(count)));
            students.for_each(|student| student_lines(&mut page, student));
            page.gap();
        }
    }
    let unchanged = Tone::Strong.on(style.pick("Unchanged", "无变化"));
    page.line(0, &(unchanged + &style.in_heading(comparison.unchanged)));
    page.finish()
}

impl Style {
    /// Which points and verdicts a comparison is of.
    pub(crate) fn compared(&self, compared: Compared) -> &'static str {
        match compared {
            Compared::Judged => self.pick(
                "as judged, without late penalties and corrections",
                "按评测结果比较，不含迟交扣分和人工修正",
            ),
            Compared::Corrected => self.pick(
                "with late penalties and corrections",
                "含迟交扣分和人工修正",
            ),
        }
    }

    /// What a change of a problem is: points, codes and cases.
    pub(crate) fn changed_problem(&self, problem: &ChangedProblem) -> [String; 2] {
        let mut text = points(problem.points);
        // A problem may be worth more now.
        if problem.max_points.differ() && !problem.points.differ() {
            let most = |most| self.pick(format!("of {most}"), format!("满分 {most}"));
            text = format!("{text} ({})", change(problem.max_points, "—", most));
        }
        text = format!("{text}  {}", verdicts(problem.verdict));
        let shown = problem.cases.iter().take(MAX_NAMED_CASES);
        let mut cases = self.list(shown.map(|it| case(it, self)));
        let more = problem.cases.len().saturating_sub(MAX_NAMED_CASES);
        if more > 0 {
            cases += &self.pick(format!(" and {more} more"), format!("，另有 {more} 个"));
        }
        [text, cases]
    }
}

/// `run 2 (2026-11-23 18:00:00 UTC, interrupted)`; `now` if it is in no ledger.
fn run_name(run: &ComparedRun, style: &Style) -> String {
    let (Some(id), Some(began)) = (run.run, &run.began) else {
        return style.pick("now", "现在").to_owned();
    };
    let began = moment(began);
    let cut = style.pick(", interrupted", "，被中断");
    let cut = if run.interrupted { cut } else { "" };
    whole(&style.pick(
        format!("run {id} ({began}{cut})"),
        format!("第 {id} 次评测（{began}{cut}）"),
    ))
}

fn student_lines(page: &mut Page, student: &ChangedStudent) {
    let style = &page.style();
    let id = Tone::Strong.on(safe(student.id.as_str()));
    // Of a student who is in one run only, the points of that run.
    let [sum, bonus] = [student.points, student.bonus].map(|it| match student.presence {
        Presence::Both => it,
        Presence::New | Presence::Gone => Pair {
            before: it.before.or(it.after),
            after: it.after.or(it.before),
        },
    });
    let mut total = points(sum);
    if bonus.differ() {
        total += style.pick(", bonus ", "，附加 ");
        total += &points(bonus);
    }
    page.hang(2, &format!("{id}  "), &total);
    for problem in &student.problems {
        let [mut text, cases] = style.changed_problem(problem);
        if !problem.because.is_empty() {
            text += style.colon();
            text += &style.changes(&problem.because);
        }
        page.hang(4, &format!("{}  ", safe(problem.id.as_str())), &text);
        if !cases.is_empty() {
            page.line(6, &cases);
        }
    }
}

/// `large/n=16 TLE → AC (1.02 s of 1 s → 970 ms of 1 s)`.
fn case(case: &ChangedCase, style: &Style) -> String {
    let text = format!("{} {}", safe(&case.name), verdicts(case.verdict));
    let why = match case.reason {
        None => return text,
        Some(ChangeReason::Time) => {
            let [before, after] = [
                (case.cpu_ms.before, case.limit_ms.before),
                (case.cpu_ms.after, case.limit_ms.after),
            ]
            .map(|(cpu, limit)| {
                let used = cpu.zip(limit);
                used.map_or_else(
                    || "—".to_owned(),
                    |(cpu, limit)| {
                        style.pick(format!("{cpu} of {limit}"), format!("{cpu} / {limit}"))
                    },
                )
            });
            format!("{before} → {after}")
        }
        Some(ChangeReason::Memory) => style.pick("memory limit", "内存限制").to_owned(),
        Some(ChangeReason::Chance) => style.pick("random numbers", "随机数").to_owned(),
    };
    let settled = if case.settled {
        ""
    } else {
        style.pick(", not settled", "，尚无定论")
    };
    text + &style.pick(format!(" ({why}{settled})"), format!("（{why}{settled}）"))
}

/// `WA → AC`.
fn verdicts(verdict: Pair<Verdict>) -> String {
    change(verdict, "—", |it| Tone::of(it).on(it.code()))
}

/// `16 → 19.75 (+3.75)`; `?` stands for points of a problem that is in one run only, too.
pub(crate) fn points(points: Pair<Standing>) -> String {
    let known = |standing: Option<Standing>| standing.and_then(Standing::so_far);
    let is_by_hand = |it: Option<Standing>| it.is_some_and(Standing::is_by_hand);
    // Points so far and all points have no difference that means something.
    let both = known(points.before).zip(known(points.after));
    let is_same_kind = is_by_hand(points.before) == is_by_hand(points.after);
    let difference = match both.filter(|_| is_same_kind) {
        Some((before, after)) if after > before => {
            Tone::Pass.on(format!(" (+{})", after.saturating_sub(before)))
        }
        Some((before, after)) if after < before => {
            Tone::Fail.on(format!(" (−{})", before.saturating_sub(after)))
        }
        Some(_) | None => String::new(),
    };
    whole(&(change(points, "?", |it| it.to_string()) + &difference))
}

fn change<T>(pair: Pair<T>, unknown: &str, text: impl Fn(T) -> String) -> String {
    let one = |value: Option<T>| value.map_or_else(|| unknown.to_owned(), &text);
    let (before, after) = (one(pair.before), one(pair.after));
    if before == after {
        return after;
    }
    whole(&format!("{before} → {after}"))
}

#[cfg(test)]
mod tests;

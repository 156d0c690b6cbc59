//! The differences for people.

use grader_model::{Standing, Verdict};

use super::{CaseDiff, ComparedRun, Diff, Pair, Presence, Reason, StudentDiff};
use crate::layout::{Page, whole};
use crate::style::{Style, Tone, safe};
use crate::text::moment;

/// Cases named for each problem; more are counted.
const MAX_NAMED_CASES: usize = 8;

impl Diff {
    /// The differences for people.
    pub fn text(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        let (before, after) = (run_name(&self.before, style), run_name(&self.after, style));
        page.line(0, &Tone::Strong.on(safe(self.after.assignment.as_str())));
        page.line(0, &format!("{before} → {after}"));
        if self.students.is_empty() {
            let students = style.students(self.unchanged);
            page.gap();
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
            let students = self.students.iter().filter(|it| it.presence == presence);
            let count = students.clone().count();
            if count > 0 {
                page.gap();
                let title = Tone::Strong.on(style.pick(en, zh));
                page.line(0, &(title + &style.in_heading(count)));
            }
            students.for_each(|student| student_lines(&mut page, student));
        }
        page.gap();
        let unchanged = Tone::Strong.on(style.pick("Unchanged", "无变化"));
        page.line(0, &(unchanged + &style.in_heading(self.unchanged)));
        page.finish()
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

fn student_lines(page: &mut Page, student: &StudentDiff) {
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
        let mut text = format!("{}  {}", points(problem.points), verdicts(problem.verdict));
        if !problem.because.is_empty() {
            text += style.colon();
            text += &style.changes(&problem.because);
        }
        page.hang(4, &format!("{}  ", safe(problem.id.as_str())), &text);
        let shown = problem.cases.iter().take(MAX_NAMED_CASES);
        let shown = shown.map(|it| case(it, style));
        let mut cases = style.list(shown);
        let more = problem.cases.len().saturating_sub(MAX_NAMED_CASES);
        if more > 0 {
            cases += &style.pick(format!(" and {more} more"), format!("，另有 {more} 个"));
        }
        if !problem.cases.is_empty() {
            page.line(6, &cases);
        }
    }
}

/// `large/n=16 TLE → AC (1.02 s of 1 s → 970 ms of 1 s)`.
fn case(case: &CaseDiff, style: &Style) -> String {
    let text = format!("{} {}", safe(&case.name), verdicts(case.verdict));
    let why = match case.reason {
        None => return text,
        Some(Reason::Time) => {
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
        Some(Reason::Memory) => style.pick("memory limit", "内存限制").to_owned(),
        Some(Reason::Chance) => style.pick("random numbers", "随机数").to_owned(),
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
fn points(points: Pair<Standing>) -> String {
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

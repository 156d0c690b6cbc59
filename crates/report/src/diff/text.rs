//! The differences for people.

use grader_model::{Points, Verdict};

use super::{ComparedRun, Diff, Pair, Presence, StudentDiff};
use crate::layout::{Page, whole};
use crate::style::{Style, Tone, safe};
use crate::terminal::changes;

/// Cases named for each problem; more are counted.
const MAX_NAMED_CASES: usize = 8;

impl Diff {
    /// The differences for people.
    pub fn text(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        let (before, after) = (run_name(&self.before, style), run_name(&self.after, style));
        page.line(0, &Tone::Strong.on(safe(self.after.assignment.as_str())));
        page.line(0, &format!("{before} → {after}"));
        for (run, name) in [(&self.before, before), (&self.after, after)] {
            if run.interrupted {
                let line = style.pick(
                    "was interrupted, some results are missing",
                    "被中断，部分结果缺失",
                );
                page.line(0, &Tone::Fail.on(format!("{name} {line}")));
            }
        }
        page.gap();
        page.line(0, &counts(self, style));
        for (presence, en, zh) in [
            (Presence::Both, "Changed", "有变化"),
            (Presence::New, "New", "新增"),
            (Presence::Gone, "Gone", "消失"),
        ] {
            if self.count(presence) > 0 {
                page.gap();
                page.line(0, &Tone::Strong.on(style.pick(en, zh)));
            }
            for student in self.students.iter().filter(|it| it.presence == presence) {
                student_lines(&mut page, student);
            }
        }
        page.finish()
    }

    fn count(&self, presence: Presence) -> usize {
        let students = self.students.iter();
        students.filter(|it| it.presence == presence).count()
    }
}

/// `run 2 (2026-11-23 18:00:00 UTC)`.
fn run_name(run: &ComparedRun, style: &Style) -> String {
    let (Some(id), Some(began)) = (run.run, &run.began) else {
        return "—".to_owned();
    };
    let began = safe(&began.replace('T', " ").replace('Z', " UTC"));
    whole(&style.pick(
        format!("run {id} ({began})"),
        format!("第 {id} 次评测（{began}）"),
    ))
}

/// How many students each kind of difference concerns.
fn counts(diff: &Diff, style: &Style) -> String {
    if diff.students.is_empty() {
        let students = style.students(diff.unchanged);
        return Tone::Pass.on(style.pick(
            format!("No result changed: {students}."),
            format!("成绩没有变化：{students}。"),
        ));
    }
    let parts = [
        (diff.count(Presence::Both), "changed", "人有变化"),
        (diff.unchanged, "unchanged", "人无变化"),
        (diff.count(Presence::New), "new", "人新增"),
        (diff.count(Presence::Gone), "gone", "人消失"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, en, zh)| format!("{count} {}", style.pick(en, zh)));
    parts.collect::<Vec<_>>().join(" · ")
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
            text += &changes(&problem.because, style);
        }
        page.hang(4, &format!("{}  ", safe(problem.id.as_str())), &text);
        let shown = problem.cases.iter().take(MAX_NAMED_CASES);
        let shown = shown.map(|it| format!("{} {}", safe(&it.name), verdicts(it.verdict)));
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

/// `WA → AC`.
fn verdicts(verdict: Pair<Verdict>) -> String {
    change(verdict, "—", |it| Tone::of(it).on(it.code()))
}

/// `16 → 19.75 (+3.75)`; points that are not known are `?`.
fn points(points: Pair<Points>) -> String {
    let difference = match points.before.zip(points.after) {
        Some((before, after)) if after > before => Tone::Pass.on(format!(" (+{})", after - before)),
        Some((before, after)) if after < before => Tone::Fail.on(format!(" (−{})", before - after)),
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

//! What changed between two results of a class, for people.

use grader_model::{Standing, Verdict};
use grader_view::{
    ChangeReason, ChangedCase, ChangedProblem, ChangedStudent, Compared, ComparedRun, Comparison,
    Pair, Presence,
};

use crate::document::{Block, Document};
use crate::style::{Style, Tone, safe};
use crate::words::{Words, moment};
use crate::wrap::whole;

/// Cases named for each problem; more are counted.
const MAX_NAMED_CASES: usize = 8;

/// What changed between two results of a class.
pub fn diff(comparison: &Comparison, style: &Style) -> String {
    differences(comparison, style.words()).text(style)
}

pub(crate) fn differences(comparison: &Comparison, words: Words) -> Document {
    let Comparison { before, after, .. } = comparison;
    let mut document = Document::default();
    document.line(Tone::Strong.on(safe(after.assignment.as_str())));
    let [before, after] = [before, after].map(|it| run_name(it, words));
    document.line(format!("{before} → {after}"));
    document.line(Tone::Faint.on(words.compared(comparison.compared)));
    document.gap();
    if comparison.is_same() {
        let students = words.students(comparison.unchanged);
        document.line(Tone::Pass.on(words.no_result_changed(students)));
        return document;
    }
    let heading = |title: &str, count: usize| Tone::Strong.on(title) + &words.note(count);
    for (presence, title) in [
        (Presence::Both, words.changed()),
        (Presence::New, words.new_students()),
        (Presence::Gone, words.gone()),
    ] {
        let students = comparison.students.iter();
        let students: Vec<_> = students.filter(|it| it.presence == presence).collect();
        if !students.is_empty() {
            document.line(heading(title, students.len()));
            for student in students {
                document.under(2, changed_student(student, words));
            }
            document.gap();
        }
    }
    document.line(heading(words.unchanged(), comparison.unchanged));
    document
}

impl Words {
    /// Which points and verdicts a comparison is of.
    pub(crate) const fn compared(self, compared: Compared) -> &'static str {
        match compared {
            Compared::Judged => self.compared_as_judged(),
            Compared::Corrected => self.compared_corrected(),
        }
    }

    /// What a change of a problem is: points, codes and cases.
    pub(crate) fn changed_problem(self, problem: &ChangedProblem) -> [String; 2] {
        let mut text = points(problem.points);
        // A problem may be worth more now.
        if problem.max_points.differ() && !problem.points.differ() {
            let most = change(problem.max_points, "—", |it| self.of_most_points(it));
            text = format!("{text} ({most})");
        }
        text = format!("{text}  {}", verdicts(problem.verdict));
        let shown = problem.cases.iter().take(MAX_NAMED_CASES);
        let mut cases = self.list(shown.map(|it| case(it, self)));
        let more = problem.cases.len().saturating_sub(MAX_NAMED_CASES);
        if more > 0 {
            cases += &self.and_more(more);
        }
        [text, cases]
    }
}

/// `run 2 (2026-11-23 18:00:00 UTC, interrupted)`; `now` if it is in no ledger.
fn run_name(run: &ComparedRun, words: Words) -> String {
    let (Some(id), Some(began)) = (run.run, &run.began) else {
        return words.now().to_owned();
    };
    let began = moment(began);
    whole(&if run.interrupted {
        words.run_cut(id, began)
    } else {
        words.run_at(id, began)
    })
}

fn changed_student(student: &ChangedStudent, words: Words) -> Document {
    let mut document = Document::default();
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
        total += &words.and_bonus_of(points(bonus));
    }
    document.item(id + "  ", total);
    for problem in &student.problems {
        let [mut text, cases] = words.changed_problem(problem);
        if !problem.because.is_empty() {
            text += words.colon();
            text += &words.changes(&problem.because);
        }
        let label = safe(problem.id.as_str()) + "  ";
        let mut of_problem = Document::from(Block::Item { label, words: text });
        if !cases.is_empty() {
            of_problem.under(2, Block::Line(cases));
        }
        document.under(2, of_problem);
    }
    document
}

/// `large/n=16 TLE → AC (1.02 s of 1 s → 970 ms of 1 s)`.
fn case(case: &ChangedCase, words: Words) -> String {
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
                used.map_or_else(|| "—".to_owned(), |(cpu, limit)| words.time_of(cpu, limit))
            });
            format!("{before} → {after}")
        }
        Some(ChangeReason::Memory) => words.memory_limit().to_owned(),
        Some(ChangeReason::Chance) => words.random_numbers().to_owned(),
    };
    text + &words.note(if case.settled {
        why
    } else {
        words.and_not_settled(why)
    })
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

//! The differences for people.

use grader_model::{Bytes, Change, Lang, Points, Text, Verdict};

use super::{
    CaseDiff, ComparedRun, Diff, PointsDiff, Presence, ProblemDiff, ResultDiff, StudentDiff,
    SubtaskDiff, VerdictDiff,
};
use crate::layout::{Page, left, right, whole, width};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// So many cases of a subtask are shown one by one.
const CASES: usize = 8;

/// What the differences are said in.
struct Said<'a> {
    diff: &'a Diff,
    style: &'a Style,
}

pub(super) fn text(diff: &Diff, style: &Style) -> String {
    let said = Said { diff, style };
    let mut page = Page::new(style);
    said.heading(&mut page);
    page.gap();
    said.counts(&mut page);
    said.problems(&mut page);
    said.changed(&mut page);
    said.others(&mut page, Presence::New);
    said.others(&mut page, Presence::Gone);
    page.finish()
}

impl Said<'_> {
    fn pick<'a>(&self, en: &'a str, zh: &'a str) -> &'a str {
        self.style.lang.pick(en, zh)
    }

    fn phrase(&self, phrase: Phrase) -> &'static str {
        self.style.words().say(phrase)
    }

    /// Which run is compared with which.
    fn heading(&self, page: &mut Page) {
        let (before, after) = (&self.diff.before, &self.diff.after);
        let mut line = Tone::Strong.on(safe(&after.assignment));
        if before.assignment != after.assignment {
            line = format!("{} → {line}", Tone::Strong.on(safe(&before.assignment)));
        }
        page.line(0, &line);
        let (one, two) = (self.run(before, true), self.run(after, false));
        page.line(0, &format!("{one} → {two}"));
        for (run, is_before) in [(before, true), (after, false)] {
            if run.interrupted {
                let name = self.run_name(run, is_before);
                let line = match self.style.lang {
                    Lang::En => format!("{name} was not finished: some points are open"),
                    Lang::Zh => format!("{name}没有完成：部分分数待定"),
                };
                page.line(0, &Tone::Fail.on(line));
            }
        }
    }

    fn run_name(&self, run: &ComparedRun, is_before: bool) -> String {
        match (run.run, self.style.lang) {
            (Some(run), Lang::En) => format!("run {run}"),
            (Some(run), Lang::Zh) => format!("第 {run} 次评测"),
            (None, _) if is_before => self.pick("the earlier run", "前一次评测").to_owned(),
            (None, _) => self.pick("the later run", "后一次评测").to_owned(),
        }
    }

    fn run(&self, run: &ComparedRun, is_before: bool) -> String {
        let name = self.run_name(run, is_before);
        let Some(began) = &run.began else {
            return name;
        };
        let began = safe(&began.replace('T', " ").replace('Z', " UTC"));
        match self.style.lang {
            Lang::En => whole(&format!("{name} ({began})")),
            Lang::Zh => whole(&format!("{name}（{began}）")),
        }
    }

    /// How many students each of the differences concerns; or that there are none.
    fn counts(&self, page: &mut Page) {
        let all = self.diff.students.len() + self.diff.unchanged;
        if self.diff.students.is_empty() {
            let students = self.style.words().students(all);
            let line = match (self.style.lang, self.diff.is_empty()) {
                (Lang::En, true) => {
                    format!("Nothing changed: {students}, the same points and verdicts.")
                }
                (Lang::En, false) => format!("No result changed: {students}."),
                (Lang::Zh, true) => format!("没有变化：{students}，分数和判定都相同。"),
                (Lang::Zh, false) => format!("成绩没有变化：{students}。"),
            };
            page.line(0, &Tone::Pass.on(line));
            return;
        }
        let count = |presence| {
            let students = self.diff.students.iter();
            students.filter(|it| it.presence == presence).count()
        };
        let results = || {
            let students = self.diff.students.iter();
            students.flat_map(|student| &student.problems)
        };
        let began = results().filter(|it| it.became_fault).count();
        let ended = results().filter(|it| it.was_fault).count();
        let counted = |count, one, many| if count == 1 { one } else { many };
        let parts = [
            (count(Presence::Both), "changed", "人有变化", None),
            (self.diff.unchanged, "unchanged", "人无变化", None),
            (count(Presence::New), "new", "人新增", None),
            (count(Presence::Gone), "gone", "人消失", None),
            (
                began,
                counted(began, "result became a fault", "results became faults"),
                "项变为评测故障",
                Some(Tone::Fail),
            ),
            (
                ended,
                counted(
                    ended,
                    "result is no fault any more",
                    "results are no faults any more",
                ),
                "项不再是评测故障",
                Some(Tone::Pass),
            ),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, en, zh, tone)| {
                let text = whole(&format!("{count} {}", self.pick(en, zh)));
                tone.map_or(text.clone(), |tone| tone.on(&text))
            })
            .collect();
        page.line(0, &parts.join(" · "));
    }

    fn problems(&self, page: &mut Page) {
        let problems = &self.diff.problems;
        if problems.is_empty() {
            return;
        }
        self.title(page, "Problems", "题目", problems.len());
        let ids: Vec<String> = problems.iter().map(|it| safe(&it.id)).collect();
        let widest = ids.iter().map(|id| width(id)).max().unwrap_or(0);
        for (problem, id) in problems.iter().zip(&ids) {
            let label = format!("{}  ", left(id, widest));
            page.hang(2, &label, &self.problem(problem));
        }
    }

    fn problem(&self, problem: &ProblemDiff) -> String {
        let text = match problem.presence {
            Presence::New => self.pick("new", "新增"),
            Presence::Gone => self.pick("gone", "已去掉"),
            Presence::Both => self.pick("judged by another version of the problem", "题目版本不同"),
        };
        match (problem.points_before, problem.points_after) {
            (Some(before), Some(after)) if before != after => {
                let worth = self.pick("worth", "满分");
                let comma = self.phrase(Phrase::Comma);
                format!("{text}{comma}{worth} {before} → {after}")
            }
            _ => text.to_owned(),
        }
    }

    fn title(&self, page: &mut Page, en: &str, zh: &str, count: usize) {
        page.gap();
        let title = Tone::Strong.on(self.pick(en, zh));
        page.line(0, &format!("{title} ({count})"));
    }

    fn changed(&self, page: &mut Page) {
        let students = self.diff.students.iter();
        let changed: Vec<&StudentDiff> = students
            .filter(|it| it.presence == Presence::Both)
            .collect();
        if changed.is_empty() {
            return;
        }
        self.title(page, "Changed", "有变化", changed.len());
        for student in changed {
            let mut parts = vec![self.points(&student.points)];
            if student.bonus.before != student.bonus.after {
                let bonus = self.phrase(Phrase::Bonus);
                parts.push(whole(&format!("{bonus} {}", self.points(&student.bonus))));
            }
            let text = parts.join(self.phrase(Phrase::Comma));
            let name = Tone::Strong.on(safe(&student.id));
            page.hang(2, &format!("{name}  "), &text);
            for result in &student.problems {
                self.result(page, result);
            }
        }
    }

    fn result(&self, page: &mut Page, result: &ResultDiff) {
        let standing = self.standing(&result.points, result.verdict);
        let mut why: Vec<&str> = Vec::new();
        if result.became_fault {
            why.push(self.pick(
                "a fault of the grader, not the student's",
                "评测故障，不是学生的错",
            ));
        }
        if result.was_fault {
            why.push(self.pick("no longer a fault", "不再是评测故障"));
        }
        // That it was a fault is said already.
        let reasons = result.because.iter();
        let reasons = reasons.filter(|change| **change != Change::Fault);
        let reasons: Vec<Text> = reasons.map(|change| change.text()).collect();
        why.extend(reasons.iter().map(|text| text.get(self.style.lang)));
        if reasons.is_empty() && result.other_version {
            why.push(self.pick("another version of the problem", "题目版本不同"));
        }
        let text = if why.is_empty() {
            standing
        } else {
            let list = why.join(self.phrase(Phrase::Comma));
            format!("{standing}{}{list}", self.phrase(Phrase::Colon))
        };
        page.hang(4, &format!("{}  ", safe(&result.id)), &text);
        for subtask in &result.subtasks {
            self.subtask(page, subtask);
        }
    }

    fn subtask(&self, page: &mut Page, subtask: &SubtaskDiff) {
        let label = format!("{}  ", safe(&subtask.name));
        page.hang(6, &label, &self.standing(&subtask.points, subtask.verdict));
        // Where every case shares one fate it is told once.
        let Some((first, rest)) = subtask.cases.split_first() else {
            return;
        };
        let alike = |case: &CaseDiff| case.verdict == first.verdict && plain(case);
        if !rest.is_empty() && plain(first) && rest.iter().all(alike) {
            let cases = self.style.words().cases(subtask.cases.len());
            page.hang(8, &format!("{cases}  "), &verdicts(first.verdict));
            return;
        }
        let shown = &subtask.cases[..subtask.cases.len().min(CASES)];
        let names: Vec<String> = shown.iter().map(|case| safe(&case.name)).collect();
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for (case, name) in shown.iter().zip(&names) {
            let label = format!("{}  ", left(name, widest));
            page.hang(8, &label, &self.case(case));
        }
        let more = subtask.cases.len() - shown.len();
        if more > 0 {
            let cases = self.style.words().cases(more);
            let line = match self.style.lang {
                Lang::En => format!("and {cases} more"),
                Lang::Zh => format!("另有 {cases}"),
            };
            page.line(8, &Tone::Faint.on(line));
        }
    }

    fn case(&self, case: &CaseDiff) -> String {
        let mut parts = Vec::new();
        if case.verdict.before == case.verdict.after {
            // Only the part of the points that it earns is another.
            let code = case.verdict.after.map_or("", Verdict::code);
            let share = self.pick("another share of the points", "得分比例不同");
            parts.push(format!("{code} {share}"));
        } else {
            parts.push(verdicts(case.verdict));
        }
        if let Some(limit) = case.cpu_limit {
            let (before, after) = (limit.before_ms, limit.after_ms);
            let name = self.pick("CPU limit", "CPU 限制");
            parts.push(whole(&format!("{name} {before} → {after}")));
        }
        if let Some((before, after)) = case.memory_limit_kib {
            let size = |kib: u64| Bytes(kib.saturating_mul(1024));
            let (before, after) = (size(before), size(after));
            let name = self.pick("memory limit", "内存限制");
            parts.push(whole(&format!("{name} {before} → {after}")));
        }
        parts.join(self.phrase(Phrase::Comma))
    }

    /// Points and verdict before and after: `16 PC → 19.75 AC (+3.75)`.
    fn standing(&self, points: &PointsDiff, verdict: VerdictDiff) -> String {
        let one = |points, verdict| match verdict {
            None => "—".to_owned(),
            Some(verdict) => {
                let points = self.open(points);
                Tone::of(verdict).on(format!("{points} {}", verdict.code()))
            }
        };
        let before = one(points.before, verdict.before);
        let after = one(points.after, verdict.after);
        let text = if points.before == points.after && verdict.before == verdict.after {
            after
        } else {
            format!("{before} → {after}{}", change(points))
        };
        whole(&text)
    }

    fn points(&self, points: &PointsDiff) -> String {
        let after = self.open(points.after);
        let text = if points.before == points.after {
            after
        } else {
            format!("{} → {after}{}", self.open(points.before), change(points))
        };
        whole(&text)
    }

    fn open(&self, points: Option<Points>) -> String {
        points.map_or_else(
            || self.pick("open", "待定").to_owned(),
            |points| points.to_string(),
        )
    }

    /// Students who are in one run only.
    fn others(&self, page: &mut Page, presence: Presence) {
        let students = self.diff.students.iter();
        let students: Vec<&StudentDiff> = students.filter(|it| it.presence == presence).collect();
        if students.is_empty() {
            return;
        }
        match presence {
            Presence::Gone => self.title(page, "Gone", "消失", students.len()),
            Presence::New | Presence::Both => self.title(page, "New", "新增", students.len()),
        }
        let rows: Vec<(String, String)> = students
            .into_iter()
            .map(|student| {
                let points = match presence {
                    Presence::Gone => student.points.before,
                    Presence::New | Presence::Both => student.points.after,
                };
                (safe(&student.id), self.open(points))
            })
            .collect();
        let names = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        let numbers = rows.iter().map(|(_, points)| width(points)).max();
        for (name, points) in &rows {
            let label = format!("{}  ", left(name, names));
            page.hang(2, &label, &right(points, numbers.unwrap_or(0)));
        }
    }
}

/// Whether a case has nothing to tell but its verdicts.
fn plain(case: &CaseDiff) -> bool {
    case.verdict.before != case.verdict.after
        && case.cpu_limit.is_none()
        && case.memory_limit_kib.is_none()
}

fn verdicts(verdict: VerdictDiff) -> String {
    let one = |verdict: Option<Verdict>| match verdict {
        Some(verdict) => Tone::of(verdict).on(verdict.code()),
        None => "—".to_owned(),
    };
    whole(&format!("{} → {}", one(verdict.before), one(verdict.after)))
}

/// By how much points grew or shrank, in brackets; nothing where they are the same or open.
fn change(points: &PointsDiff) -> String {
    match points.change {
        Some(change) if change.0 != 0 => {
            let tone = if change.0 > 0 { Tone::Pass } else { Tone::Fail };
            format!(" ({})", tone.on(change.to_string()))
        }
        Some(_) | None => String::new(),
    }
}

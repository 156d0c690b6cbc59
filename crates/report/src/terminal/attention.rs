//! What needs human attention: the same program twice first, then faults, then what is worth a look.

use grader_model::{
    CaseResult, FaultCause, ProblemResult, Results, SimilarGroup, Similarity, Standing, StudentId,
    Verdict, WhyOpen,
};

use super::case::is_settled;
use super::submission::reasons;
use crate::layout::{Page, table, whole};
use crate::style::{Style, Tone, safe};

/// Why something needs a human, the most urgent first.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    Similar,
    OurFailure,
    Unreadable,
    NotJudged,
    NotSettled,
    Flag,
    UnusedFile,
    Note,
    NothingSubmitted,
    CompileError,
    Layout,
}

/// The title of each [`Need`], in their order.
pub(crate) const TITLES: [(&str, &str); 11] = [
    (
        "Same program: from several students, or in the files of the problem",
        "相同的程序：来自几名学生，或与题目的文件相同",
    ),
    (
        "Not scored yet: our failure, not the student's",
        "尚未评分：评测故障，不是学生的错",
    ),
    (
        "Not scored yet: the submission needs a look",
        "尚未评分：需要查看提交的内容",
    ),
    (
        "Not scored yet: not graded in this run",
        "尚未评分：这次没有评测",
    ),
    (
        "Not settled: near a limit, or due to luck",
        "没有定论：接近限制，或取决于运气",
    ),
    (
        "Flags: worth a look, no points deducted",
        "标记：建议查看，不影响分数",
    ),
    (
        "Files that were not judged: is one of them a program?",
        "未评测的文件：请确认其中没有程序",
    ),
    ("Notes on submissions", "关于提交的说明"),
    ("Nothing submitted", "没有提交"),
    ("Compile errors", "编译错误"),
    (
        "Presentation errors: a case is right except for its layout",
        "格式错误：有测试点答案正确，只是格式不对",
    ),
];

/// One line: who, for what, why.
pub(crate) struct Entry {
    pub(crate) need: Need,
    pub(crate) student: String,
    pub(crate) about: String,
    pub(crate) reason: String,
    /// The case that it is about, if it is about one.
    pub(crate) place: Option<Place>,
}

/// The names of a subtask and of its case.
type Place = (String, String);

pub(super) fn attention(page: &mut Page, results: &Results) {
    let style = &page.style();
    let entries = entries(results, style);
    if entries.is_empty() {
        let line = style.pick("Nothing needs attention.", "没有需要人工处理的情况。");
        if !results.interrupted {
            page.line(0, &Tone::Pass.on(line));
        }
        return;
    }
    let title = style.pick("Needs human attention", "需要人工处理");
    page.line(0, &Tone::Strong.on(title));
    for (need, (en, zh)) in TITLES.into_iter().enumerate() {
        let entries: Vec<&Entry> = entries
            .iter()
            .filter(|it| it.need as usize == need)
            .collect();
        if !entries.is_empty() {
            page.gap();
            page.line(2, &format!("{} ({})", style.pick(en, zh), entries.len()));
            list(page, &entries);
        }
    }
}

/// At least so many entries with the same reason share it.
const MIN_SHARED: usize = 3;

/// Each entry on a line, except that entries with a common reason, or without one, share it.
fn list(page: &mut Page, entries: &[&Entry]) {
    let style = &page.style();
    let is_shared = |entry: &&Entry| {
        let same = entries.iter().filter(|it| it.reason == entry.reason);
        entry.reason.is_empty() || same.count() >= MIN_SHARED
    };
    let (mut shared, alone): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().copied().partition(is_shared);
    let rows = alone
        .iter()
        .map(|it| vec![it.student.clone(), it.about.clone()]);
    for (label, entry) in table(&rows.collect::<Vec<_>>(), &[]).iter().zip(&alone) {
        page.hang(4, label, &entry.reason);
    }
    while let Some(reason) = shared.first().map(|entry| &entry.reason) {
        let (same, others): (Vec<&Entry>, Vec<&Entry>) =
            shared.iter().partition(|entry| entry.reason == *reason);
        let who = same.chunk_by(|one, two| one.student == two.student);
        let who = who.map(|entries| {
            let about: Vec<&str> = entries.iter().map(|entry| entry.about.as_str()).collect();
            match about.join(style.pick(", ", "、")).as_str() {
                "" => whole(&entries[0].student),
                about => whole(&style.pick(
                    format!("{} ({about})", entries[0].student),
                    format!("{}（{about}）", entries[0].student),
                )),
            }
        });
        let who = who.collect::<Vec<_>>();
        if reason.is_empty() {
            page.line(4, &who.join("  "));
        } else {
            page.line(4, &format!("{reason}{}", style.colon().trim_end()));
            page.line(6, &who.join(style.comma()));
        }
        shared = others;
    }
}

/// Everything that needs a human.
pub(crate) fn entries(results: &Results, style: &Style) -> Vec<Entry> {
    let entry = |need, student: &str, about: &str, reason| Entry {
        need,
        student: safe(student),
        about: safe(about),
        reason,
        place: None,
    };
    let mut entries = Vec::new();
    for group in &results.similar {
        if let Some((first, others)) = group.students.split_first() {
            let reason = similar(group, others, style);
            let (first, problem) = (first.as_str(), group.problem.as_str());
            entries.push(entry(Need::Similar, first, problem, reason));
        }
    }
    let students = results.students.iter();
    let files = students.map(|student| (student.id.as_str(), &student.unused));
    for (student, files) in [("", &results.unused)].into_iter().chain(files) {
        for file in files.iter().filter(|file| file.notable) {
            let reason = style.text(&file.reason);
            entries.push(entry(Need::UnusedFile, student, &file.path, reason));
        }
    }
    for student in &results.students {
        let id = student.id.as_str();
        for note in student.notes.iter().chain(&student.remarks) {
            entries.push(entry(Need::Note, id, "", style.text(note)));
        }
        if student.nothing_submitted {
            entries.push(entry(Need::NothingSubmitted, id, "", String::new()));
        }
        for problem in &student.problems {
            let needs = of_problem(problem, style).into_iter();
            entries.extend(needs.map(|(need, why, place)| Entry {
                place,
                ..entry(need, id, problem.id.as_str(), why)
            }));
        }
    }
    entries
}

/// Students with the same program who are named; the others are counted.
const MAX_NAMED: usize = 10;

/// Who else has the same program, and in what it differs.
fn similar(group: &SimilarGroup, others: &[StudentId], style: &Style) -> String {
    let named = others.iter().take(MAX_NAMED);
    let mut same: Vec<String> = named.map(|it| safe(it.as_str())).collect();
    if others.len() > MAX_NAMED {
        let more = others.len() - MAX_NAMED;
        same.push(style.pick(
            format!("{more} more students"),
            format!("另外 {more} 名学生"),
        ));
    }
    same.extend(group.given.iter().map(|path| format!("`{}`", safe(path))));
    let (same, tokens) = (style.list(same), group.tokens);
    match group.kind {
        Similarity::Bytes => style.pick(
            format!("the same text as {same} ({tokens} tokens)"),
            format!("与 {same} 的文本相同（{tokens} 个记号）"),
        ),
        Similarity::Tokens => style.pick(
            format!("same as {same} except for names, comments or layout ({tokens} tokens)"),
            format!("与 {same} 仅名称、注释或排版不同（{tokens} 个记号）"),
        ),
    }
}

/// What of a problem needs a human, why, and in which case.
fn of_problem(problem: &ProblemResult, style: &Style) -> Vec<(Need, String, Option<Place>)> {
    let why = || reasons(problem, style).swap_remove(0);
    let mut needs = match problem.standing() {
        Standing::Open(WhyOpen::Fault(FaultCause::Grader)) => vec![(Need::OurFailure, why(), None)],
        Standing::Open(WhyOpen::Fault(FaultCause::Unreadable)) => {
            vec![(Need::Unreadable, why(), None)]
        }
        Standing::Open(WhyOpen::NotJudged) => vec![(Need::NotJudged, why(), None)],
        Standing::Open(WhyOpen::SomeCases) | Standing::Scored(_) | Standing::Excused => Vec::new(),
    };
    let colon = style.colon();
    for subtask in &problem.subtasks {
        let name = safe(subtask.name.as_str());
        for case in &subtask.cases {
            if let Some(result) = not_settled(case, style) {
                let place = (name.clone(), safe(case.name.as_str()));
                let why = format!("{name}/{} {}{colon}{result}", place.1, case.verdict.code());
                needs.push((Need::NotSettled, why, Some(place)));
            }
        }
    }
    for flag in &problem.flags {
        needs.push((Need::Flag, style.text(&flag.message), None));
    }
    if problem.verdict == Verdict::CompileError {
        needs.push((Need::CompileError, why(), None));
    } else if problem.verdict == Verdict::PresentationError {
        let mut places = problem.subtasks.iter().flat_map(|subtask| {
            let cases = subtask
                .cases
                .iter()
                .filter(|case| case.verdict == Verdict::PresentationError);
            cases.map(|case| (safe(subtask.name.as_str()), safe(case.name.as_str())))
        });
        needs.push((Need::Layout, why(), places.next()));
    }
    needs
}

/// What is open about a case: runs alone that disagree, or a verdict that is due to luck.
fn not_settled(case: &CaseResult, style: &Style) -> Option<String> {
    if let Some(attempts) = case.attempts.as_ref().filter(|it| it.is_doubtful()) {
        return Some(style.attempts(attempts));
    }
    if !case.near_limit || is_settled(case) {
        return None;
    }
    if let Some(runs) = style.runs_alone(case) {
        return Some(style.pick(format!("run alone {runs}"), format!("单独重跑 {runs}")));
    }
    let used = case.outcome.as_ref().zip(case.limits);
    let used = used.map(|(outcome, limits)| {
        style.used_of(&outcome.cpu.to_string(), &limits.cpu.to_string()) + style.comma()
    });
    Some(used.unwrap_or_default() + style.pick("not run again", "没有重跑"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_entries_share_a_reason() {
        let refused = "`s1.zip` is not unpacked";
        let entries = [
            ("s01", "polynomial", "the same output"),
            ("s01", "annealing", "the same output"),
            ("s02", "count", "a table"),
            ("王 小明", "annealing", "the same output"),
            ("s1", "count", refused),
            ("s1", "board", refused),
            ("s3", "count", "no `main`"),
            ("s4", "", ""),
            ("s5", "", ""),
        ]
        .map(|(student, about, reason)| Entry {
            need: Need::Flag,
            student: student.to_owned(),
            about: about.to_owned(),
            reason: reason.to_owned(),
            place: None,
        });
        let style = Style::default();
        let mut page = Page::new(&style);
        list(&mut page, &entries.each_ref());
        assert_eq!(
            page.finish(),
            "    s02  count  a table
    s1   count  `s1.zip` is not unpacked
    s1   board  `s1.zip` is not unpacked
    s3   count  no `main`
    the same output:
      s01 (polynomial, annealing), 王 小明 (annealing)
    s4  s5
"
        );
    }
}

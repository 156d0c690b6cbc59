//! What needs a human: faults first, then what is worth a look.

use grader_model::{
    CaseResult, FaultCause, ProblemResult, Results, Status, StudentResult, SubtaskResult, Verdict,
};

use super::case::{is_settled, reason};
use crate::layout::{Page, table, whole};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// One line: who, for what, which verdict, why.
#[derive(Default)]
struct Entry {
    student: String,
    about: String,
    verdict: Option<Verdict>,
    reason: String,
}

pub(super) fn attention(page: &mut Page, results: &Results, style: &Style) {
    let groups = [
        (
            "Not graded: our failure, not the student's",
            "尚未评分：评测故障，不是学生的错",
            faults(results, FaultCause::Grader, style),
        ),
        (
            "Not graded: the submission needs a look",
            "尚未评分：需要查看提交的内容",
            faults(results, FaultCause::Unreadable, style),
        ),
        (
            "Not graded: the run was interrupted",
            "尚未评分：评测被中断",
            not_judged(results),
        ),
        (
            "Near a time limit and not settled",
            "接近时间限制，没有定论",
            near_limits(results, style),
        ),
        (
            "Flags: worth a look, no points taken",
            "留意：值得看一眼，不影响分数",
            flags(results, style),
        ),
        (
            "Files that were not judged and may be programs",
            "没有评测、但可能是程序的文件",
            unused(results, style),
        ),
        (
            "Notes on submissions",
            "关于提交的说明",
            notes(results, style),
        ),
        ("Nothing submitted", "没有提交", absent(results)),
        ("Compile errors", "编译错误", build_failures(results, style)),
        (
            "Presentation errors: right answer, wrong layout",
            "格式错误：答案正确，格式不对",
            layout_failures(results, style),
        ),
    ];
    if groups.iter().all(|(.., entries)| entries.is_empty()) {
        let line = if results.interrupted {
            Tone::Fail.on(style.pick(
                "Not everything was graded: run the same command again.",
                "没有全部评完：请再运行一次同样的命令。",
            ))
        } else {
            Tone::Pass.on(style.pick("Nothing needs a human.", "没有需要人工处理的情况。"))
        };
        return page.line(0, &line);
    }
    let title = style.pick("What needs a human", "需要人工处理");
    page.line(0, &Tone::Strong.on(title));
    for (en, zh, entries) in groups {
        if entries.is_empty() {
            continue;
        }
        page.gap();
        page.line(2, &format!("{} ({})", style.pick(en, zh), entries.len()));
        list(page, &entries, style);
    }
}

/// At least so many entries with the same reason share it.
const MIN_SHARED: usize = 3;

/// Each entry on a line, except that entries without a verdict of their own share a common reason.
fn list(page: &mut Page, entries: &[Entry], style: &Style) {
    let is_shared = |entry: &&Entry| {
        let may_share = |it: &Entry| matches!(it.verdict, None | Some(Verdict::JudgeError));
        let same = entries
            .iter()
            .filter(|it| may_share(it) && it.reason == entry.reason);
        may_share(entry) && (entry.reason.is_empty() || same.count() >= MIN_SHARED)
    };
    let (mut shared, alone): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_shared);
    let rows = alone.iter().map(|entry| {
        let verdict = entry.verdict.map(|it| Tone::of(it).on(it.code()));
        let (student, about) = (entry.student.clone(), entry.about.clone());
        vec![student, about, verdict.unwrap_or_default()]
    });
    for (label, entry) in table(&rows.collect::<Vec<_>>(), &[]).iter().zip(alone) {
        page.hang(4, label, &entry.reason);
    }
    let comma = style.words().say(Phrase::Comma);
    while let Some(reason) = shared.first().copied().map(|entry| &entry.reason) {
        let all = shared.into_iter();
        let (same, others): (Vec<&Entry>, Vec<&Entry>) =
            all.partition(|entry| entry.reason == *reason);
        let who = same.chunk_by(|one, two| one.student == two.student);
        let who = who.map(|entries| {
            let about: Vec<&str> = entries.iter().map(|entry| entry.about.as_str()).collect();
            match about.join(comma).as_str() {
                "" => whole(&entries[0].student),
                about => whole(&format!("{} ({about})", entries[0].student)),
            }
        });
        let who = who.collect::<Vec<_>>();
        if reason.is_empty() {
            page.line(4, &who.join("  "));
        } else {
            let colon = style.words().say(Phrase::Colon);
            page.line(4, &format!("{reason}{}", colon.trim_end()));
            page.line(6, &who.join(comma));
        }
        shared = others;
    }
}

fn cases(problem: &ProblemResult) -> impl Iterator<Item = (&SubtaskResult, &CaseResult)> {
    problem.subtasks.iter().flat_map(|subtask| {
        let cases = subtask.cases.iter();
        cases.map(move |case| (subtask, case))
    })
}

/// An entry for each verdict and reason that a problem of a student has.
fn by_problem<I>(results: &Results, reasons: impl Fn(&ProblemResult) -> I) -> Vec<Entry>
where
    I: IntoIterator<Item = (Option<Verdict>, String)>,
{
    let mut entries = Vec::new();
    for student in &results.students {
        for problem in &student.problems {
            entries.extend(reasons(problem).into_iter().map(|(verdict, reason)| Entry {
                student: safe(student.id.as_str()),
                about: safe(problem.id.as_str()),
                verdict,
                reason,
            }));
        }
    }
    entries
}

/// An entry for each reason that a student as a whole has.
fn by_student<I>(results: &Results, reasons: impl Fn(&StudentResult) -> I) -> Vec<Entry>
where
    I: IntoIterator<Item = String>,
{
    let mut entries = Vec::new();
    for student in &results.students {
        entries.extend(reasons(student).into_iter().map(|reason| Entry {
            student: safe(student.id.as_str()),
            reason,
            ..Entry::default()
        }));
    }
    entries
}

/// The message of a problem, or else of its first case with this verdict.
fn problem_reason(problem: &ProblemResult, style: &Style) -> String {
    let case = cases(problem).find(|(_, case)| case.verdict == problem.verdict);
    match (&problem.message, case) {
        (Some(message), _) => safe(message.get(style.lang)),
        (None, Some((_, case))) => reason(case, style),
        (None, None) => style.words().verdict(problem.verdict),
    }
}

fn faults(results: &Results, cause: FaultCause, style: &Style) -> Vec<Entry> {
    by_problem(results, |problem| {
        let is_fault = problem.status == Status::Fault(cause);
        is_fault.then(|| (Some(problem.verdict), problem_reason(problem, style)))
    })
}

fn not_judged(results: &Results) -> Vec<Entry> {
    by_student(results, |student| {
        let mut problems = student.problems.iter();
        let open = problems.any(|problem| problem.status == Status::NotJudged);
        open.then(String::new)
    })
}

/// Cases that running the program again alone did not settle.
fn near_limits(results: &Results, style: &Style) -> Vec<Entry> {
    let words = style.words();
    let colon = words.say(Phrase::Colon);
    let open = |(subtask, case): (&SubtaskResult, &CaseResult)| {
        let (subtask, name) = (safe(subtask.name.as_str()), safe(case.name.as_str()));
        let result = match (words.runs_alone(case), &case.outcome, case.limits) {
            (Some(runs), ..) => style.pick(format!("alone {runs}"), format!("单独重跑 {runs}")),
            (None, Some(outcome), Some(limits)) => {
                let used = words.used_of(&outcome.cpu.to_string(), &limits.cpu.to_string());
                let again = style.pick(", not run again", "，没有重跑");
                format!("{used}{again}")
            }
            (None, ..) => style.pick("not run again", "没有重跑").to_owned(),
        };
        (
            Some(case.verdict),
            format!("{subtask}/{name}{colon}{result}"),
        )
    };
    by_problem(results, |problem| {
        let cases = cases(problem).filter(|(_, case)| case.near_limit && !is_settled(case));
        cases.map(&open).collect::<Vec<_>>()
    })
}

fn flags(results: &Results, style: &Style) -> Vec<Entry> {
    by_problem(results, |problem| {
        let flags = problem.flags.iter();
        let reasons = flags.map(|flag| (None, safe(flag.message.get(style.lang))));
        reasons.collect::<Vec<_>>()
    })
}

fn unused(results: &Results, style: &Style) -> Vec<Entry> {
    let beside = results.unused.iter().map(|file| ("", file));
    let students = results.students.iter().flat_map(|student| {
        let files = student.unused.iter();
        files.map(move |file| (student.id.as_str(), file))
    });
    let files = beside.chain(students).filter(|(_, file)| file.notable);
    let entries = files.map(|(student, file)| Entry {
        student: safe(student),
        about: safe(&file.path),
        verdict: None,
        reason: safe(file.reason.get(style.lang)),
    });
    entries.collect()
}

fn notes(results: &Results, style: &Style) -> Vec<Entry> {
    by_student(results, |student| {
        let notes = student.notes.iter().chain(&student.remarks);
        notes
            .map(|note| safe(note.get(style.lang)))
            .collect::<Vec<_>>()
    })
}

fn absent(results: &Results) -> Vec<Entry> {
    by_student(results, |student| {
        student.nothing_submitted.then(String::new)
    })
}

fn build_failures(results: &Results, style: &Style) -> Vec<Entry> {
    by_problem(results, |problem| {
        let build = problem.build.as_ref();
        let messages = build.and_then(|build| build.messages.as_ref());
        let line = messages.and_then(|messages| error_line(&messages.text));
        let is_broken = problem.verdict == Verdict::CompileError;
        is_broken.then(|| {
            let reason = line.map_or_else(|| problem_reason(problem, style), safe);
            (Some(problem.verdict), reason)
        })
    })
}

/// The first line of a compiler's messages about an error, or else the first line.
fn error_line(messages: &str) -> Option<&str> {
    let lines = || {
        messages
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let is_error = |line: &&str| line.contains("rror:") || line.contains("rror[");
    lines().find(is_error).or_else(|| lines().next())
}

fn layout_failures(results: &Results, style: &Style) -> Vec<Entry> {
    let colon = style.words().say(Phrase::Colon);
    by_problem(results, |problem| {
        let mut cases = cases(problem);
        let case = cases.find(|(_, case)| case.verdict == Verdict::PresentationError);
        case.map(|(_, case)| {
            let name = safe(case.name.as_str());
            let reason = format!("{name}{colon}{}", reason(case, style));
            (Some(problem.verdict), reason)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_entries_share_a_reason_except_those_with_a_verdict_of_their_own() {
        let fault = Some(Verdict::JudgeError);
        let refused = "`s1.zip` is not unpacked";
        let entries = [
            ("s01", "polynomial", None, "the same output"),
            ("s01", "annealing", None, "the same output"),
            ("s02", "count", None, "a table"),
            ("王 小明", "annealing", None, "the same output"),
            ("s1", "count", fault, refused),
            ("s1", "board", fault, refused),
            ("s1", "hanoi", fault, refused),
            ("s3", "count", Some(Verdict::CompileError), refused),
            ("s4", "", None, "late"),
            ("s5", "", None, "late"),
            ("s6", "", None, "late"),
        ]
        .map(|(student, about, verdict, reason)| Entry {
            student: student.to_owned(),
            about: about.to_owned(),
            verdict,
            reason: reason.to_owned(),
        });
        let style = Style::default();
        let mut page = Page::new(&style);
        list(&mut page, &entries, &style);
        assert_eq!(
            page.finish(),
            "    s02  count      a table
    s3   count  CE  `s1.zip` is not unpacked
    the same output:
      s01 (polynomial, annealing), 王 小明 (annealing)
    `s1.zip` is not unpacked:
      s1 (count, board, hanoi)
    late:
      s4, s5, s6
"
        );
    }
}

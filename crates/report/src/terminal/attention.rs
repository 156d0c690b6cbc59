//! What needs a human: faults first, then what is merely worth a look.

use grader_model::{
    CaseResult, FaultCause, ProblemResult, Results, Status, StudentResult, UnusedFile, Verdict,
};

use super::explain::is_settled;
use super::limit::runs_alone;
use super::{is_submitted, not_judged};
use crate::layout::{Page, left, whole, width};
use crate::style::{Style, Tone, safe};
use crate::words::{Phrase, Words};

/// One line: who, for what, which verdict, why.
struct Entry {
    student: String,
    about: String,
    verdict: Option<Verdict>,
    reason: String,
}

pub(super) fn attention(page: &mut Page, results: &Results, style: &Style) {
    let groups = [
        (Phrase::Faults, faults(results, FaultCause::Grader, style)),
        (
            Phrase::HandedInFaults,
            faults(results, FaultCause::Unreadable, style),
        ),
        (Phrase::Unjudged, unjudged(results)),
        (Phrase::OpenNearLimits, near_limits(results, style)),
        (Phrase::Flags, flags(results, style)),
        (Phrase::Unused, unused(results, style)),
        (Phrase::Notes, notes(results, style)),
        (Phrase::NothingHandedIn, absent(results)),
        (Phrase::BuildFailures, build_failures(results, style)),
        (Phrase::LayoutFailures, layout_failures(results, style)),
    ];
    let words = style.words();
    if groups.iter().all(|(_, entries)| entries.is_empty()) {
        let line = if results.interrupted {
            Tone::Fail.on(words.say(Phrase::Unfinished))
        } else {
            Tone::Pass.on(words.say(Phrase::AllFine))
        };
        page.line(0, &line);
        return;
    }
    page.line(0, &Tone::Strong.on(words.say(Phrase::NeedsAHuman)));
    for (title, entries) in groups {
        if entries.is_empty() {
            continue;
        }
        page.gap();
        page.line(2, &format!("{} ({})", words.say(title), entries.len()));
        let bare = |entry: &Entry| entry.about.is_empty() && entry.reason.is_empty();
        if entries.iter().all(bare) {
            // Names alone stand side by side.
            let names: Vec<String> = entries.into_iter().map(|entry| entry.student).collect();
            page.line(4, &names.join("  "));
        } else {
            with_reasons(page, &entries, words);
        }
    }
}

/// So many lines with the same reason are one.
const SAME: usize = 3;

/// Whether an entry may stand with others below their reason: it has no verdict of its own to tell. That a fault is `JE` its
/// heading tells.
const fn may_share(entry: &Entry) -> bool {
    matches!(entry.verdict, None | Some(Verdict::JudgeError))
}

/// Each entry on a line of its own, but for those that share a reason with several others: these stand together below
/// it.
fn with_reasons(page: &mut Page, entries: &[Entry], words: Words) {
    let mut by_reason: Vec<(&str, Vec<&Entry>)> = Vec::new();
    for entry in entries.iter().filter(|entry| may_share(entry)) {
        match by_reason.iter_mut().find(|(it, _)| *it == entry.reason) {
            Some((_, same)) => same.push(entry),
            None => by_reason.push((&entry.reason, vec![entry])),
        }
    }
    by_reason.retain(|(_, same)| same.len() >= SAME);
    let shared: Vec<&str> = by_reason.iter().map(|(reason, _)| *reason).collect();
    let alone: Vec<&Entry> = entries
        .iter()
        .filter(|entry| !may_share(entry) || !shared.contains(&entry.reason.as_str()))
        .collect();
    lines(page, &alone);
    for (reason, same) in by_reason {
        let mut who: Vec<(&str, Vec<&str>)> = Vec::new();
        for entry in same {
            match who.last_mut().filter(|(it, _)| *it == entry.student) {
                Some((_, about)) => about.push(&entry.about),
                None => who.push((&entry.student, vec![&entry.about])),
            }
        }
        let comma = words.say(Phrase::Comma);
        let who: Vec<String> = who
            .into_iter()
            .map(|(student, about)| match about.as_slice() {
                [""] => whole(student),
                about => whole(&format!("{student} ({})", about.join(comma))),
            })
            .collect();
        page.hang(4, "", &format!("{reason}{}", words.say(Phrase::Colon)));
        page.hang(6, "", &who.join(comma));
    }
}

fn lines(page: &mut Page, entries: &[&Entry]) {
    let widest = |part: fn(&Entry) -> &str| {
        let widths = entries.iter().map(|entry| width(part(entry)));
        widths.max().unwrap_or(0)
    };
    let student = widest(|entry| &entry.student);
    let about = widest(|entry| &entry.about);
    let code = widest(|entry| entry.verdict.map_or("", Verdict::code));
    for entry in entries {
        let mut label = format!(
            "{}  {}  ",
            left(&entry.student, student),
            left(&entry.about, about)
        );
        if let Some(verdict) = entry.verdict {
            let verdict = Tone::of(verdict).on(left(verdict.code(), code));
            label.push_str(&verdict);
            label.push_str("  ");
        }
        page.hang(4, &label, &entry.reason);
    }
}

fn problems(results: &Results) -> impl Iterator<Item = (&StudentResult, &ProblemResult)> {
    results.students.iter().flat_map(|student| {
        let problems = student.problems.iter();
        problems.map(move |problem| (student, problem))
    })
}

fn cases(problem: &ProblemResult) -> impl Iterator<Item = &CaseResult> {
    problem.subtasks.iter().flat_map(|subtask| &subtask.cases)
}

fn entry(student: &StudentResult, problem: &ProblemResult, reason: String) -> Entry {
    Entry {
        student: safe(student.id.as_str()),
        about: safe(problem.id.as_str()),
        verdict: Some(problem.verdict),
        reason,
    }
}

fn faults(results: &Results, from: FaultCause, style: &Style) -> Vec<Entry> {
    problems(results)
        .filter(|(_, problem)| problem.status == Status::Fault(from))
        .map(|(student, problem)| {
            let of_case = || {
                let faulty = |case: &&CaseResult| case.verdict == Verdict::JudgeError;
                cases(problem).find(faulty)
            };
            let reason = match (&problem.message, of_case()) {
                (Some(message), _) => safe(message.get(style.lang)),
                (None, Some(case)) => case_reason(case, style),
                (None, None) => style.words().say(Phrase::NoReason).to_owned(),
            };
            entry(student, problem, reason)
        })
        .collect()
}

/// Students whom an interrupted run did not come to, or not with everything.
fn unjudged(results: &Results) -> Vec<Entry> {
    let open = |student: &&StudentResult| student.problems.iter().any(not_judged);
    results.students.iter().filter(open).map(name).collect()
}

fn flags(results: &Results, style: &Style) -> Vec<Entry> {
    problems(results)
        .flat_map(|(student, problem)| {
            problem.flags.iter().map(move |flag| Entry {
                verdict: None,
                ..entry(student, problem, safe(flag.message.get(style.lang)))
            })
        })
        .collect()
}

fn unused(results: &Results, style: &Style) -> Vec<Entry> {
    let files = results.students.iter().flat_map(|student| {
        let files = student.unused.iter().filter(|file| file.notable);
        files.map(move |file| (student, file))
    });
    let entry = |student: String, file: &UnusedFile| Entry {
        student,
        about: safe(&file.path),
        verdict: None,
        reason: safe(file.reason.get(style.lang)),
    };
    let beside = results.unused.iter().filter(|file| file.notable);
    beside
        .map(|file| entry(String::new(), file))
        .chain(files.map(|(student, file)| entry(safe(student.id.as_str()), file)))
        .collect()
}

fn notes(results: &Results, style: &Style) -> Vec<Entry> {
    let notes = results.students.iter().flat_map(|student| {
        let notes = student.notes.iter().chain(&student.remarks);
        notes.map(move |note| Entry {
            reason: safe(note.get(style.lang)),
            ..name(student)
        })
    });
    notes.collect()
}

fn absent(results: &Results) -> Vec<Entry> {
    let absent = results
        .students
        .iter()
        .filter(|student| student.nothing_submitted);
    absent.map(name).collect()
}

/// A student, of whom the title says all.
fn name(student: &StudentResult) -> Entry {
    Entry {
        student: safe(student.id.as_str()),
        about: String::new(),
        verdict: None,
        reason: String::new(),
    }
}

/// Cases that the runs alone did not settle. Those that they did are only counted, elsewhere.
fn near_limits(results: &Results, style: &Style) -> Vec<Entry> {
    let words = style.words();
    problems(results)
        .flat_map(|(student, problem)| {
            let subtasks = problem.subtasks.iter();
            let cases =
                subtasks.flat_map(|subtask| subtask.cases.iter().map(move |c| (subtask, c)));
            let open = cases.filter(|(_, case)| case.near_limit && !is_settled(case));
            open.map(move |(subtask, case)| {
                let (subtask, name) = (safe(subtask.name.as_str()), safe(case.name.as_str()));
                let mut reason = format!("{subtask}/{name}{}", words.say(Phrase::Colon));
                let runs = runs_alone(case, style);
                if let (None, Some(outcome), Some(limits)) = (&runs, &case.outcome, case.limits) {
                    let (used, limit) = (outcome.cpu.to_string(), limits.cpu.to_string());
                    reason.push_str(&words.run_of(&used, &limit));
                    reason.push_str(words.say(Phrase::Comma));
                }
                reason.push_str(&words.alone_in_list(runs.as_deref()));
                Entry {
                    verdict: Some(case.verdict),
                    ..entry(student, problem, reason)
                }
            })
        })
        .collect()
}

fn build_failures(results: &Results, style: &Style) -> Vec<Entry> {
    problems(results)
        .filter(|(_, problem)| problem.verdict == Verdict::CompileError)
        .map(|(student, problem)| {
            let said = problem
                .build
                .as_ref()
                .and_then(|build| build.messages.as_ref())
                .and_then(|messages| first_error(&messages.text));
            let reason = match (said, &problem.message) {
                (Some(line), _) => safe(line),
                (None, Some(message)) => safe(message.get(style.lang)),
                (None, None) => style.words().say(Phrase::NoReason).to_owned(),
            };
            entry(student, problem, reason)
        })
        .collect()
}

/// The first line of a compiler that tells of an error; else its first line that is not blank.
fn first_error(messages: &str) -> Option<&str> {
    let lines = || messages.lines().map(str::trim).filter(|l| !l.is_empty());
    let tells = |line: &&str| line.contains("rror:") || line.contains("rror[");
    lines().find(tells).or_else(|| lines().next())
}

fn layout_failures(results: &Results, style: &Style) -> Vec<Entry> {
    problems(results)
        .filter(|(_, problem)| is_submitted(problem))
        .filter_map(|(student, problem)| {
            let case = cases(problem).find(|case| case.verdict == Verdict::PresentationError)?;
            let name = safe(case.name.as_str());
            let reason = format!(
                "{name}{}{}",
                style.words().say(Phrase::Colon),
                case_reason(case, style)
            );
            Some(entry(student, problem, reason))
        })
        .collect()
}

/// The message of a case, or of its first evidence, or the name of its verdict.
fn case_reason(case: &CaseResult, style: &Style) -> String {
    let first = case.evidence.first().map(|evidence| &evidence.message);
    match case.message.as_ref().or(first) {
        Some(message) => safe(message.get(style.lang)),
        None => style.words().verdict(case.verdict),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_many_is_said_once() {
        let flag = |student: &str, about: &str, reason: &str| Entry {
            student: student.to_owned(),
            about: about.to_owned(),
            verdict: None,
            reason: reason.to_owned(),
        };
        let entries = [
            flag("s01", "polynomial", "the same output"),
            flag("s01", "annealing", "the same output"),
            flag("s02", "count", "a table"),
            flag("王 小明", "annealing", "the same output"),
            flag("s14", "count", "a table"),
        ];
        let style = Style::default();
        let mut page = Page::new(&style);
        with_reasons(&mut page, &entries, style.words());
        assert_eq!(
            page.finish(),
            "    s02  count  a table
    s14  count  a table
    the same output:
      s01 (polynomial, annealing), 王 小明 (annealing)
"
        );
    }

    #[test]
    fn what_is_said_of_whole_students_names_them_alone() {
        let note = |student: &str, reason: &str| Entry {
            student: student.to_owned(),
            about: String::new(),
            verdict: None,
            reason: reason.to_owned(),
        };
        let entries = [
            note("s01", "it came late"),
            note("s02", "it came late"),
            note("s03", "the roster does not know the student"),
            note("s04", "it came late"),
        ];
        let style = Style::default();
        let mut page = Page::new(&style);
        with_reasons(&mut page, &entries, style.words());
        assert_eq!(
            page.finish(),
            "    s03    the roster does not know the student
    it came late:
      s01, s02, s04
"
        );
    }

    #[test]
    fn a_fault_of_several_problems_is_told_once_and_another_verdict_never_stands_with_it() {
        let entry = |student: &str, about: &str, verdict, reason: &str| Entry {
            student: student.to_owned(),
            about: about.to_owned(),
            verdict: Some(verdict),
            reason: reason.to_owned(),
        };
        let refused = "`s1.zip` is not unpacked";
        let entries = [
            entry("s1", "count", Verdict::JudgeError, refused),
            entry("s1", "board", Verdict::JudgeError, refused),
            entry("s1", "hanoi", Verdict::JudgeError, refused),
            entry("s2", "count", Verdict::JudgeError, "the disk is full"),
            entry("s3", "count", Verdict::CompileError, refused),
        ];
        let style = Style::default();
        let mut page = Page::new(&style);
        with_reasons(&mut page, &entries, style.words());
        assert_eq!(
            page.finish(),
            "    s2  count  JE  the disk is full
    s3  count  CE  `s1.zip` is not unpacked
    `s1.zip` is not unpacked:
      s1 (count, board, hanoi)
"
        );
    }
}

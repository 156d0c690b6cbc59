//! Whole pages of the sample, kept in `src/snapshots`.

use grader_model::{
    CaseName, Change, Excerpt, FaultCause, IsolationLevel, Lang, Origin, Points, ProblemResult,
    Results, Status, StudentResult, Text, Verdict,
};
use grader_view::{Own, StudentView, Visible};

use super::personal;
use crate::sample;
use crate::snapshots::assert_kept;
use crate::style::Style;

fn style(lang: Lang, width: usize) -> Style {
    Style {
        lang,
        width,
        ..Style::default()
    }
}

fn class(results: &Results, style: &Style) -> String {
    super::class(&Visible::Staff(results).view(), style)
}

fn explained(student: &StudentResult) -> String {
    super::student(&StudentView::of(student, &[]), &Style::default())
}

fn assert_page(name: &str, page: &str) {
    assert_kept(&format!("terminal/{name}.txt"), page.as_bytes());
}

/// The problem as a run leaves it that was interrupted before it.
fn not_judged(problem: &mut ProblemResult) {
    problem.points = None;
    problem.status = Status::NotJudged;
    problem.verdict = Verdict::Skipped;
    problem.message = Some(grader_model::not_judged());
    problem.build = None;
    problem.origin = None;
    problem.flags.clear();
    problem.subtasks.clear();
}

/// A class of which one student is graded, one has two problems left and one all; with two kinds of faults.
fn interrupted() -> Results {
    let mut results = sample::results();
    results.interrupted = true;
    results.isolation.level = IsolationLevel::Basic;
    results.isolation.layers = vec!["rlimits".to_owned()];
    results.isolation.missing = vec!["network-namespace".to_owned(), "seccomp".to_owned()];
    results.students.remove(4);
    results.students[1].problems[..2]
        .iter_mut()
        .for_each(not_judged);
    results.students[2].problems.iter_mut().for_each(not_judged);
    for problem in &mut results.students[4].problems[1..4] {
        problem.verdict = Verdict::JudgeError;
        problem.points = None;
        problem.message = Some(Text::new("`hw.zip` is not unpacked", "`hw.zip` 未解压"));
        problem.status = Status::Fault(FaultCause::Unreadable);
    }
    let problems = results.students.iter_mut().flat_map(|it| &mut it.problems);
    for (problem, run) in problems.filter(|it| it.origin.is_some()).zip(1..) {
        problem.origin = Some(match run {
            1..=4 => Origin::Reused { run },
            _ => Origin::Ran {
                because: vec![Change::Sources, Change::Toolchain],
            },
        });
    }
    results
}

#[test]
fn a_class_is_shown_with_its_points_and_with_what_needs_a_human() {
    let results = sample::results();
    for (name, lang, width) in [
        ("class", Lang::En, 80),
        ("class.wide", Lang::En, 100),
        ("class.zh", Lang::Zh, 80),
        ("class.narrow", Lang::En, 50),
    ] {
        assert_page(name, &class(&results, &style(lang, width)));
    }
    assert_page("interrupted", &class(&interrupted(), &Style::default()));
}

#[test]
fn a_class_in_which_nothing_needs_a_human_says_so() {
    let mut results = sample::results();
    results.students.truncate(1);
    results.reference_times.clear();
    results.similar.clear();
    results.students[0].problems[2].counterexample = None;
    let count = &mut results.students[0].problems[0];
    count.flags.clear();
    count.subtasks[2].cases_mut()[0].near_limit = false;
    let page = class(&results, &Style::default());
    let (_, end) = page.split_once("\n\ngraded").unwrap();
    assert_eq!(
        end,
        " 1 of 1 · mean 100 · median 100 · 1 with full marks
results of 5 of 5 submissions reused from earlier runs

Nothing needs attention.
"
    );
}

#[test]
fn a_score_is_explained_to_staff() {
    let results = sample::results();
    for (index, name) in [(0, "flagged"), (1, "mixed"), (4, "close")] {
        let page = explained(&results.students[index]);
        assert_page(&format!("staff.{name}"), &page);
    }
}

#[test]
fn a_student_reads_the_score_what_to_fix_and_why() {
    let results = sample::results();
    for (index, name) in [
        (0, "perfect"),
        (1, "mixed"),
        (2, "broken"),
        (3, "fault"),
        (4, "close"),
    ] {
        let own = Own::of(&results, &results.students[index]);
        let own = own.view();
        let page = personal(&own, &Style::default());
        assert_page(&format!("student.{name}"), &page);
        if index == 1 || index == 4 {
            assert_page(
                &format!("student.{name}.zh"),
                &personal(&own, &style(Lang::Zh, 80)),
            );
        }
    }
}

#[test]
fn what_a_message_quotes_in_full_is_not_repeated() {
    let mut results = sample::results();
    let student = &mut results.students[1];
    student.problems.truncate(1);
    let case = &mut student.problems[0].subtasks[1].cases_mut()[0];
    let message = Text::new("expected `352`, found `351`", "应为 `352`，实为 `351`");
    case.message = Some(message.clone().into());
    case.evidence[0].message = message;
    assert!(!explained(student).contains("found     351"));
    let case = &mut student.problems[0].subtasks[1].cases_mut()[0];
    case.evidence[0].found.as_mut().unwrap().after = 9;
    assert!(explained(student).contains("found     351"));
}

#[test]
fn a_mistake_of_several_cases_is_explained_once_and_so_is_a_hint() {
    let mut results = sample::results();
    let student = &mut results.students[1];
    student.problems.truncate(1);
    student.problems[0].points = Some(Points::ZERO);
    let subtask = &mut student.problems[0].subtasks[1];
    let mut cases = vec![subtask.cases[0].clone(); 5];
    for (case, n) in cases.iter_mut().zip(20..) {
        case.name = CaseName::new(format!("n={n}"));
    }
    cases[3].evidence[0].found = Some(Excerpt::new(b"353"));
    subtask.cases = cases.into();
    let page = explained(student);
    let count = |text: &str| page.matches(text).count();
    for head in ["✗ n=20 … n=22, n=24, 4 cases  WA\n", "✗ n=23  WA\n"] {
        assert_eq!(count(head), 1, "{page}");
    }
    assert_eq!((count("expected  352"), count("hint:")), (2, 1));
}

//! Which cases stand together, and how much is told of each group.

use grader_model::{
    BoardFigure, CaseResult, Evidence, Excerpt, ProblemResult, Share, SubtaskResult, Text, Verdict,
};

use super::*;
use crate::{Detail, ProblemView};

/// A case, and why it failed.
fn case(name: &str, verdict: Verdict, why: &str) -> CaseResult {
    CaseResult::unrun(CaseName::new(name), verdict, Text::plain(why))
}

fn wrong(name: &str, why: &str) -> CaseResult {
    case(name, Verdict::WrongAnswer, why)
}

fn right(name: &str) -> CaseResult {
    hidden(name, Verdict::Accepted)
}

fn crashed(name: &str, stderr: &str) -> CaseResult {
    CaseResult {
        stderr: Some(Box::new(Excerpt::new(stderr.as_bytes()))),
        ..case(name, Verdict::RuntimeError, "exit status 1")
    }
}

/// A case of which a student sees the verdict only.
fn hidden(name: &str, verdict: Verdict) -> CaseResult {
    CaseResult {
        message: None,
        ..CaseResult::unrun(CaseName::new(name), verdict, Text::default())
    }
}

/// A wrong answer with this text beside its sentence.
fn shown(name: &str, why: &str, found: &str) -> CaseResult {
    let mut case = wrong(name, why);
    case.evidence = vec![Evidence {
        found: Some(Excerpt::new(found.as_bytes())),
        ..Evidence::new("differs", Text::plain(why))
    }];
    case
}

/// A wrong answer with a board of this size.
fn board(name: &str, size: u32) -> CaseResult {
    let mut case = wrong(name, "two queens attack each other");
    let why = Text::plain("two queens attack each other");
    case.evidence = vec![Evidence {
        board: Some(BoardFigure {
            size,
            ..BoardFigure::default()
        }),
        ..Evidence::new("queens-attack", why)
    }];
    case
}

fn advised(name: &str, why: &str, hint: &str) -> CaseResult {
    CaseResult {
        hints: vec![Text::plain(hint)],
        ..wrong(name, why)
    }
}

fn partial(name: &str) -> CaseResult {
    CaseResult {
        share: Some(Share::of(1.0, 2.0)),
        ..case(name, Verdict::PartiallyCorrect, "half")
    }
}

/// The groups of subtasks: `full n=4 … n=6 (3)`, a line for each subtask.
fn groups(subtasks: &[&[CaseResult]]) -> Vec<String> {
    let subtasks = subtasks.iter().map(|cases| SubtaskResult {
        cases: cases.to_vec().into(),
        ..SubtaskResult::default()
    });
    let problem = ProblemResult {
        subtasks: subtasks.collect(),
        ..ProblemResult::default()
    };
    let view = ProblemView::of(&problem, None);
    let subtask = view.subtasks.iter().map(|subtask| {
        let groups = subtask.groups();
        let words = groups.iter().map(|group| {
            let detail = match group.first.detail {
                Detail::Verdict => "verdict",
                Detail::Line => "line",
                Detail::Full => "full",
            };
            let ranges = group.ranges.iter().map(|it| match it.count {
                1 => it.first.to_string(),
                _ => format!("{} … {}", it.first, it.last),
            });
            let ranges: Vec<_> = ranges.collect();
            format!("{detail} {} ({})", ranges.join(", "), group.count)
        });
        words.collect::<Vec<_>>().join("; ")
    });
    subtask.collect()
}

#[test]
fn one_mistake_is_told_once() {
    let extra = |name| case(name, Verdict::PresentationError, "extra text");
    let number = |name, value: u32| wrong(name, &format!("expected `{value}`, found `x{value}`"));
    let slow = |name, time| case(name, Verdict::TimeLimit, time);
    for (subtasks, expected) in [
        // The same sentence: once in full, and a line in the next subtask.
        (
            vec![
                vec![extra("a"), extra("b"), extra("c")],
                vec![extra("d"), extra("e")],
            ],
            vec!["full a … c (3)", "line d … e (2)"],
        ),
        // What passed divides a range, and not a group.
        (
            vec![vec![extra("a"), right("b"), extra("c"), extra("d")]],
            vec!["full a, c … d (3)"],
        ),
        // The same but for numbers and what is quoted: what is another keeps its line, and the next subtask its own card.
        (
            vec![
                vec![number("a", 2), number("b", 30), number("c", 30), right("d")],
                vec![number("e", 5)],
            ],
            vec!["full a (1); line b … c (2)", "full e (1)"],
        ),
        (
            vec![vec![
                slow("a", "stopped after 2.6 s"),
                slow("b", "stopped after 31 s"),
            ]],
            vec!["full a (1); line b (1)"],
        ),
        // Other mistakes: three in full, the others in lines.
        (
            vec![vec![
                wrong("a", "one"),
                wrong("b", "two"),
                wrong("c", "three"),
                wrong("d", "four"),
                wrong("e", "four"),
                wrong("f", "one"),
            ]],
            vec!["full a, f (2); full b (1); full c (1); line d … e (2)"],
        ),
        // What the program says when it crashes is the reason.
        (
            vec![vec![
                crashed("a", "IndexError"),
                crashed("b", "IndexError"),
                crashed("c", "ZeroDivisionError"),
            ]],
            vec!["full a … b (2); full c (1)"],
        ),
        // There is more to see than the sentence.
        (
            vec![vec![
                shown("a", "line 2 differs", "x"),
                shown("b", "line 2 differs", "x"),
                shown("c", "line 2 differs", "y"),
            ]],
            vec!["full a … b (2); full c (1)"],
        ),
        (
            vec![vec![board("a", 4), board("b", 5)]],
            vec!["full a … b (2)"],
        ),
        // Advice that was not given before.
        (
            vec![vec![
                advised("a", "one", "read"),
                advised("b", "one", "read"),
                advised("c", "one", "think"),
            ]],
            vec!["full a … b (2); full c (1)"],
        ),
        (
            vec![vec![
                advised("a", "one", "the task gives `4`"),
                advised("b", "one", "the task gives `5`"),
            ]],
            vec!["full a … b (2)"],
        ),
        // What each earned is its own.
        (
            vec![vec![partial("a"), partial("b")]],
            vec!["full a (1); full b (1)"],
        ),
        // Verdicts that are all that is known, and different ones.
        (
            vec![vec![
                hidden("#1", Verdict::WrongAnswer),
                hidden("#2", Verdict::WrongAnswer),
                hidden("#3", Verdict::TimeLimit),
                hidden("#4", Verdict::Accepted),
                hidden("#5", Verdict::WrongAnswer),
            ]],
            vec!["verdict #1 … #2, #5 (3); verdict #3 (1)"],
        ),
        (
            vec![vec![
                wrong("a", "same"),
                case("b", Verdict::TimeLimit, "same"),
            ]],
            vec!["full a (1); full b (1)"],
        ),
    ] {
        let subtasks: Vec<&[CaseResult]> = subtasks.iter().map(Vec::as_slice).collect();
        assert_eq!(groups(&subtasks), expected);
    }
}

#[test]
fn the_case_beside_all_subtasks_is_told_in_full() {
    let mut problem = ProblemResult {
        verdict: Verdict::WrongAnswer,
        counterexample: Some(Box::new(wrong("found", "one"))),
        ..ProblemResult::default()
    };
    problem.subtasks = vec![SubtaskResult {
        cases: vec![wrong("a", "one")].into(),
        ..SubtaskResult::default()
    }];
    let view = ProblemView::of(&problem, None);
    assert!(view.counterexample.unwrap().is_full());
}

use grader_model::{Adjustment, CaseResult, Status};

use super::*;

/// A case that failed, with these hints.
fn case(name: &str, hints: &[&str]) -> CaseResult {
    let why = Text::plain("expected 1, found 2");
    CaseResult {
        hints: hints.iter().copied().map(Text::plain).collect(),
        ..CaseResult::unrun(CaseName::new(name), Verdict::WrongAnswer, why)
    }
}

#[test]
fn what_to_fix_first_is_the_first_hint_on_a_failure_that_may_be_its_cause() {
    let beside = Text::plain("line 9: more is written than fits").beside();
    let beside = beside.en.as_str();
    for (verdict, hints, cases, expected) in [
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[])],
            "all/a expected 1, found 2",
        ),
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[beside])],
            "all/a expected 1, found 2",
        ),
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[beside]), case("b", &["line 7"])],
            "all/b expected 1, found 2. line 7",
        ),
        (
            Verdict::JudgeError,
            "a note",
            vec![case("a", &["line 7"])],
            "judge error",
        ),
        (
            Verdict::CompileError,
            "`;` is missing",
            vec![],
            "`;` is missing",
        ),
    ] {
        let problem = ProblemResult {
            verdict,
            hints: vec![Text::plain(hints)],
            subtasks: vec![SubtaskResult {
                name: SubtaskName::new("all"),
                verdict: Verdict::WrongAnswer,
                cases: cases.into(),
                ..SubtaskResult::default()
            }],
            message: (verdict == Verdict::CompileError).then(|| Text::plain("does not compile")),
            ..ProblemResult::default()
        };
        let Reason {
            subtask,
            case,
            text,
        } = ProblemView::of(&problem, None).to_fix().unwrap();
        let place = subtask
            .zip(case)
            .map(|(subtask, case)| format!("{subtask}/{case} "));
        assert_eq!(place.unwrap_or_default() + &text.en, expected);
    }
}

#[test]
fn what_changes_took_away_is_less_what_they_gave_and_no_more_than_was_lost() {
    use AdjustmentKind::{Attempt, Correction, Excused, Late};
    for (changes, expected) in [
        // Points were added, then set: 4, 6, 3.
        (vec![(Correction, 6), (Correction, 3)], (0, 1)),
        (vec![(Correction, 3), (Correction, 6)], (0, 0)),
        (vec![(Correction, 12), (Correction, 2)], (0, 2)),
        (vec![(Late, 2), (Correction, 1)], (2, 1)),
        (vec![(Late, 1), (Correction, 3)], (1, 0)),
        (vec![(Late, 1), (Correction, 3), (Correction, 2)], (2, 0)),
        (vec![(Late, 2), (Correction, 4)], (0, 0)),
        (vec![(Attempt, 4), (Late, 3)], (1, 0)),
        (vec![(Correction, 1), (Excused, 2)], (0, 0)),
    ] {
        let adjustments = changes.iter().map(|(kind, points)| Adjustment {
            kind: *kind,
            points: Some(Points::whole(*points)),
            message: Text::default(),
            percent: None,
            at: None,
        });
        let problem = ProblemResult {
            points: changes.last().map(|(_, points)| Points::whole(*points)),
            max_points: Points::whole(10),
            adjustments: adjustments.collect(),
            status: Status::Judged,
            subtasks: vec![SubtaskResult {
                points: Some(Points::whole(4)),
                max_points: Points::whole(10),
                ..SubtaskResult::default()
            }],
            ..ProblemResult::default()
        };
        let view = ProblemView::of(&problem, None);
        let (late, by_hand) = expected;
        assert_eq!(
            [view.lost_by(Late), view.lost_by(Correction)],
            [late, by_hand].map(Points::whole),
            "{changes:?}"
        );
    }
}

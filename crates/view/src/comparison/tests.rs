use grader_model::{
    Adjustment, AdjustmentKind, CaseName, Status as Progress, SubtaskName, SubtaskResult, Text,
};

use super::*;

/// A result of 10 points, of which it has 6: one case failed.
fn result() -> ProblemResult {
    let case = |name, verdict| CaseResult {
        name: CaseName::new(name),
        verdict,
        ..CaseResult::default()
    };
    let cases = [
        case("n=1", Verdict::Accepted),
        case("n=2", Verdict::WrongAnswer),
    ];
    ProblemResult {
        id: ProblemId::new("p"),
        points: Some(Points::whole(6)),
        max_points: Points::whole(10),
        verdict: Verdict::PartiallyCorrect,
        status: Progress::Judged,
        subtasks: vec![SubtaskResult {
            name: SubtaskName::new("small"),
            cases: cases.into(),
            ..SubtaskResult::default()
        }],
        ..ProblemResult::default()
    }
}

/// What changes if the later result is this one.
fn change_to(change: impl FnOnce(&mut ProblemResult)) -> Option<ChangedProblem> {
    let (before, mut after) = (result(), result());
    change(&mut after);
    let pair = Pair {
        before: Some(&before),
        after: Some(&after),
    };
    problem(pair, &mut JudgedTwice::default())
}

fn adjusted(problem: &mut ProblemResult, kind: AdjustmentKind) {
    problem.adjustments.push(Adjustment {
        kind,
        points: problem.points,
        message: Text::default(),
        percent: None,
        at: None,
    });
}

#[test]
fn a_result_has_changed_if_its_points_status_verdict_or_a_case_is_another() {
    type Change = fn(&mut ProblemResult);
    let table: [(&str, bool, Change); 9] = [
        ("nothing", false, |_| {}),
        ("points", true, |it| it.points = Some(Points::whole(7))),
        ("points that are open", true, |it| it.points = None),
        ("a verdict", true, |it| it.verdict = Verdict::RuntimeError),
        ("a case", true, |it| {
            it.subtasks[0].cases_mut()[0].verdict = Verdict::TimeLimit;
        }),
        ("a case more", true, |it| {
            let subtask = &mut it.subtasks[0];
            let mut cases = subtask.cases.to_vec();
            cases.push(CaseResult::default());
            subtask.cases = cases.into();
        }),
        ("what it is worth", true, |it| {
            it.max_points = Points::whole(12);
        }),
        ("an excuse with the same points", true, |it| {
            adjusted(it, AdjustmentKind::Excused);
        }),
        ("a comment", false, |it| {
            adjusted(it, AdjustmentKind::Comment);
            it.subtasks[0].cases_mut()[0].message = Some(Box::new(Text::plain("slow")));
        }),
    ];
    for (what, is_change, change) in table {
        assert_eq!(change_to(change).is_some(), is_change, "{what}");
    }
}

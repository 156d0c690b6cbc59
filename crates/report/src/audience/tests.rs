use grader_model::{CpuTime, NamedCase, Points, ReferenceCase, SubtaskName};

use super::*;
use crate::sample;

/// The hidden subtask of the sample that has one of everything.
fn rich(results: &mut Results) -> &mut SubtaskResult {
    &mut results.students[4].problems[0].subtasks[2]
}

#[test]
fn of_a_hidden_subtask_a_student_sees_verdicts_and_points() {
    let mut results = Audience::Student.view(&sample::results()).into_owned();
    let case = |index: usize, verdict| CaseResult {
        verdict,
        message: None,
        ..CaseResult::unrun(
            CaseName::new(format!("#{index}")),
            verdict,
            Text::new("", ""),
        )
    };
    assert_eq!(
        *rich(&mut results),
        SubtaskResult {
            name: SubtaskName::new("large"),
            points: Some(Points::ZERO),
            max_points: Points::whole(10),
            verdict: Verdict::WrongAnswer,
            hidden: true,
            message: Some(Text::new("its time grows too fast", "用时增长太快")),
            growth: None,
            cases: vec![
                case(1, Verdict::Accepted),
                case(2, Verdict::Accepted),
                case(3, Verdict::Skipped),
            ],
        }
    );
}

#[test]
fn a_growth_that_does_not_alone_fail_a_hidden_subtask_is_not_told() {
    let mut results = sample::results();
    rich(&mut results).cases[1].verdict = Verdict::TimeLimit;
    let mut shown = Audience::Student.view(&results).into_owned();
    assert_eq!(rich(&mut shown).message, None);
    let mut results = sample::results();
    rich(&mut results).growth.as_mut().unwrap().verdict = GrowthVerdict::Unresolved;
    let mut shown = Audience::Student.view(&results).into_owned();
    assert_eq!(rich(&mut shown).message, None);
}

#[test]
fn a_student_sees_how_limits_come_about_and_what_stands_behind_what_is_not_hidden() {
    let results = sample::results();
    let shown = Audience::Student.view(&results);
    assert_eq!(
        shown.students[4].problems[0].subtasks[..2],
        results.students[4].problems[0].subtasks[..2]
    );
    let mut others = results.students[4].problems[1..].to_vec();
    for problem in &mut others {
        problem.origin = None;
    }
    assert_eq!(shown.students[4].problems[1..], others);
    assert_eq!(shown.reference_times, []);
}

#[test]
fn a_limit_that_follows_a_hidden_case_is_not_explained_to_a_student() {
    let mut results = sample::results();
    let case = &mut results.students[4].problems[0].subtasks[1].cases[1];
    let named = |hidden| NamedCase {
        name: "large/n=17".to_owned(),
        hidden,
    };
    let follows = |case| LimitOrigin::Reference {
        factor: 3.0,
        reference: CpuTime::from_millis(2110),
        case,
        language_factor: 1.0,
        start_up: CpuTime::default(),
        slack: CpuTime::default(),
    };
    case.limit_origin = Some(follows(ReferenceCase::AtLeast(named(false))));
    assert_eq!(reduced_case(case, false, 0), *case);
    for of in [ReferenceCase::AtLeast, ReferenceCase::Other] {
        let case = &mut results.students[4].problems[0].subtasks[1].cases[1];
        case.limit_origin = Some(follows(of(named(true))));
        let shown = Audience::Student.view(&results);
        let shown = &shown.students[4].problems[0].subtasks[1].cases[1];
        assert_eq!(shown.limit_origin, None);
        let confirmation = shown.confirmation.as_ref().unwrap();
        assert_eq!(confirmation.reference_times, []);
    }
}

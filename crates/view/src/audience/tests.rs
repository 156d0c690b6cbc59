use grader_model::{
    CpuTime, Excerpt, Lang, NamedCase, Objection, Points, ReferenceCase, SubtaskName,
};

use super::*;

/// The class of the tests of reports.
fn sample() -> Results {
    serde_json::from_str(include_str!("../../../report/src/sample/class.json")).unwrap()
}

/// What the student of the sample who has one of everything sees.
fn seen(results: &Results) -> StudentResult {
    let Own(mut seen) = Own::of(results, &results.students[4]);
    seen.students.remove(0)
}

/// The hidden subtask of the sample that has one of everything.
fn rich(results: &mut Results) -> &mut SubtaskResult {
    &mut results.students[4].problems[0].subtasks[2]
}

#[test]
fn of_a_hidden_subtask_a_student_sees_verdicts_and_points() {
    let shown = seen(&sample());
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
        shown.problems[0].subtasks[2],
        SubtaskResult {
            name: SubtaskName::new("large"),
            points: Some(Points::ZERO),
            max_points: Points::whole(10),
            verdict: Verdict::WrongAnswer,
            hidden: true,
            hidden_until: None,
            message: Some(Text::new("its time grows too fast", "运行时间增长过快")),
            growth: None,
            manual: None,
            check: None,
            cases: vec![
                case(1, Verdict::Accepted),
                case(2, Verdict::Accepted),
                case(3, Verdict::Skipped),
            ]
            .into(),
        }
    );
}

#[test]
fn who_judged_the_own_work_reads_why_that_failed_and_nothing_more_of_hidden_cases() {
    let mut results = sample();
    results.students.drain(..4);
    results.students.truncate(1);
    let problem = &mut results.students[0].problems[0];
    problem.verdict = Verdict::JudgeError;
    let gone = Text::plain("gcc is not installed");
    problem.message = Some(gone.clone());
    let mut own = Own::only(&results).unwrap().0;
    assert_ne!(own.students[0].problems[0].message, Some(gone.clone()));
    own.students[0].problems[0].message = Some(gone);
    assert_eq!(Own::judged_here(&results).unwrap().0, own);
}

#[test]
fn what_a_person_has_to_look_at_is_no_failure_of_the_grader() {
    let said = |status, is_given: bool| {
        let mut results = sample();
        let problem = &mut results.students[0].problems[0];
        problem.verdict = Verdict::JudgeError;
        problem.status = status;
        problem.message = Some(Text::plain("`a.zip` is encrypted"));
        problem.points = is_given.then_some(Points::whole(3));
        let Own(shown) = Own::of(&results, &results.students[0]);
        let message = shown.students[0].problems[0].message.clone();
        message.unwrap().get(Lang::En).to_owned()
    };
    let unread = Status::Fault(FaultCause::Unreadable);
    assert_eq!(
        [
            said(unread, false),
            said(unread, true),
            said(Status::Fault(FaultCause::Grader), false),
        ],
        [
            "a person has to look at what was submitted; not scored yet",
            "graded by a person",
            "grading failed: not your program's fault, and not scored yet",
        ]
    );
}

#[test]
fn a_growth_that_does_not_alone_fail_a_hidden_subtask_is_not_told() {
    let mut results = sample();
    rich(&mut results).cases_mut()[1].verdict = Verdict::TimeLimit;
    assert_eq!(seen(&results).problems[0].subtasks[2].message, None);
    let mut results = sample();
    rich(&mut results).growth.as_mut().unwrap().verdict = GrowthVerdict::Unresolved;
    assert_eq!(seen(&results).problems[0].subtasks[2].message, None);
}

#[test]
fn a_student_sees_how_limits_come_about_and_what_stands_behind_what_is_not_hidden() {
    let results = sample();
    let shown = seen(&results);
    assert_eq!(
        shown.problems[0].subtasks[..2],
        results.students[4].problems[0].subtasks[..2]
    );
    let mut others = results.students[4].problems[1..].to_vec();
    for problem in &mut others {
        problem.origin = None;
        if let Some(build) = &mut problem.build {
            assert_eq!(build.toolchain, "gcc 12.2.0 -O2 -std=gnu17");
            "gcc 12.2.0".clone_into(&mut build.toolchain);
        }
    }
    assert_eq!(shown.problems[1..], others);
    let own = Own::of(&results, &results.students[4]);
    assert_eq!(own.results().reference_times, []);
}

#[test]
fn a_limit_that_follows_a_hidden_case_is_not_explained_to_a_student() {
    let mut results = sample();
    let case = &mut results.students[4].problems[0].subtasks[1].cases_mut()[1];
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
    case.limit_origin = Some(follows(ReferenceCase::AtLeast(named(false))).into());
    assert_eq!(reduced_case(case, false, 0), *case);
    for of in [ReferenceCase::AtLeast, ReferenceCase::Other] {
        let case = &mut results.students[4].problems[0].subtasks[1].cases_mut()[1];
        case.limit_origin = Some(follows(of(named(true))).into());
        let shown = seen(&results);
        let shown = &shown.problems[0].subtasks[1].cases[1];
        assert_eq!(shown.limit_origin, None);
        let confirmation = shown.confirmation.as_ref().unwrap();
        assert_eq!(confirmation.reference_times, []);
    }
}

#[test]
fn an_objection_is_the_students_own_once_it_has_an_answer() {
    let mut results = sample();
    let mut objection = Objection {
        text: Excerpt::new(b"why?"),
        answer: None,
    };
    results.students[4].objection = Some(objection.clone());
    assert_eq!(seen(&results).objection, None);
    objection.answer = Some(Excerpt::new(b"because"));
    results.students[4].objection = Some(objection.clone());
    assert_eq!(seen(&results).objection, Some(objection));
}

#[test]
fn a_student_sees_how_a_program_fails_unless_it_was_accepted() {
    let mut results = sample();
    let accepted = &results.students[0].problems[2];
    assert!(accepted.counterexample.is_some());
    assert_eq!(reduced_problem(accepted).counterexample, None);

    let problem = &mut results.students[4].problems[0];
    let found = problem.counterexample.as_mut().unwrap();
    found.evidence[0].staff_only = true;
    let shown = reduced_problem(problem).counterexample.unwrap();
    assert_eq!(
        (shown.name, shown.evidence),
        (CaseName::new("n = 3"), Vec::new())
    );
}

use grader_model::{
    Attempts, CaseResult, Change, CpuTime, Lang, Origin, RunInfo, SubtaskResult, Verdict,
};

use super::*;
use crate::json::write_value;
use crate::sample;
use crate::snapshots::{assert_kept, written};

fn before() -> Results {
    let mut results = sample::results();
    results.run = Some(RunInfo {
        id: 1,
        began: "2026-11-22T05:28:22Z".to_owned(),
    });
    results
}

fn judgement(results: &Results) -> Judgement<'_> {
    Judgement {
        results,
        grader: "0.1.0 (1f2e3d4c5b6a)".to_owned(),
    }
}

fn first_accepted(results: &mut Results, nth: usize) -> &mut CaseResult {
    let problems = results.students.iter_mut().flat_map(|it| &mut it.problems);
    let subtasks = problems.flat_map(|it| &mut it.subtasks);
    let mut cases = subtasks.flat_map(SubtaskResult::cases_mut);
    cases
        .by_ref()
        .filter(|it| it.verdict == Verdict::Accepted && it.attempts.is_none())
        .nth(nth)
        .unwrap()
}

/// Another machine, on which one program is near its limit, one was unlucky and one has another verdict.
fn after() -> Results {
    let mut results = sample::results();
    results.run = None;
    results.host.cpu = "ARM Cortex-A76".to_owned();
    let slow = first_accepted(&mut results, 0);
    slow.verdict = Verdict::TimeLimit;
    slow.near_limit = true;
    let limit = slow.limits.unwrap().cpu;
    slow.outcome.as_mut().unwrap().cpu = CpuTime::from_millis(limit.0.as_millis() as u64 + 7);
    let unlucky = first_accepted(&mut results, 1);
    unlucky.verdict = Verdict::WrongAnswer;
    unlucky.attempts = Some(Attempts {
        runs: 10,
        at_least: Some(8),
        made: 10,
        accepted: 2,
        outputs: 10,
        seconds: 10,
    });
    first_accepted(&mut results, 2).verdict = Verdict::WrongAnswer;
    for student in &mut results.students {
        for problem in &mut student.problems {
            problem.origin = Some(Origin::Ran {
                because: vec![Change::Toolchain, Change::Host],
            });
        }
    }
    results
}

#[test]
fn what_may_explain_a_difference_stands_beside_it() {
    let (before, after) = (before(), after());
    let replay = replay(&judgement(&before), &judgement(&after), 2);
    let text = [Lang::En, Lang::Zh].map(|lang| replay.text(&Style::of(lang)));
    assert_kept("replay.txt", text.join("\n").as_bytes());
    assert_kept("replay.json", &written(|out| write_value(&replay, out)));
    assert!(!replay.is_same());
}

#[test]
fn the_same_verdicts_and_points_have_the_same_hash() {
    let (before, mut after) = (before(), sample::results());
    for case in after
        .students
        .iter_mut()
        .flat_map(|it| &mut it.problems)
        .flat_map(|it| &mut it.subtasks)
        .flat_map(SubtaskResult::cases_mut)
    {
        case.message = None;
        case.outcome = None;
    }
    let replay = replay(&judgement(&before), &judgement(&after), 0);
    let [was, is] = &replay.receipts;
    assert_eq!(was, is);
    assert_eq!(
        (
            replay.judged.same,
            replay.judged.not_settled,
            replay.is_same()
        ),
        (replay.judged.cases, 0, true)
    );
}

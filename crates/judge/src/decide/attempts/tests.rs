use grader_model::CpuTime;

use super::*;
use crate::tests::{doubling, ended_well};
use Verdict::{Accepted, JudgeError, PartiallyCorrect, TimeLimit, WrongAnswer};

const THREE_OF_TWELVE: AttemptRule = AttemptRule {
    runs: 12,
    at_least: Some(3),
};

const fn rate(runs: u32) -> AttemptRule {
    AttemptRule {
        runs,
        at_least: None,
    }
}

/// An attempt that starts at `began` (in milliseconds) and takes `millis`, with this verdict and output.
fn attempt(began: u64, verdict: Verdict, output: u64, millis: u64) -> JudgedRun {
    let name = CaseName::new("n=8");
    let mut run = JudgedRun::not_started(&name, verdict, Text::default());
    run.result.outcome = Some(ended_well(CpuTime::from_millis(millis)));
    JudgedRun {
        printed: Some(Printed {
            began: UNIX_EPOCH + Duration::from_millis(began),
            answer: *blake3::hash(&output.to_le_bytes()).as_bytes(),
        }),
        ..run
    }
}

/// A program: its verdict and output, by second and run number.
type Program<'a> = &'a dyn Fn(u64, u32) -> (Verdict, u64);

/// The result of a program whose runs take 10 ms each, and the number of its runs.
fn judged(
    rule: AttemptRule,
    repetitions: u32,
    program: impl Fn(u64, u32) -> (Verdict, u64),
) -> (CaseResult, u32) {
    let (mut clock, mut runs) = (0, 0);
    let mut plan = plan(rule);
    loop {
        if let Some(result) = plan.done {
            return (result, runs);
        }
        clock = clock.max(plan.again.unwrap_or_default() * 1000);
        runs += 1;
        let (verdict, output) = program(clock / 1000, runs);
        let here = super::repetitions([plan.count.attempts()].into_iter());
        let is_fixed = here.is_some_and(|here| repetitions + here >= REPETITIONS);
        plan.made(attempt(clock, verdict, output, runs.into()), is_fixed);
        clock += 10;
    }
}

fn plan(rule: AttemptRule) -> Plan {
    Plan {
        count: AttemptCount::new(rule),
        has_many_answers: true,
        again: None,
        done: None,
    }
}

#[test]
fn attempts_are_made_in_other_seconds_where_that_may_change_their_output() {
    let fresh = |_, run: u32| (Accepted, run.into());
    // It fails in the first two seconds, however often it is run in them.
    let by_second = |second, _| {
        let verdict = if second < 2 { WrongAnswer } else { Accepted };
        (verdict, second)
    };
    let fixed = |_, _| (WrongAnswer, 1);
    let half = |_, run: u32| match run % 2 {
        0 => (WrongAnswer, 0),
        _ => (Accepted, run.into()),
    };
    let table: [(AttemptRule, u32, Program<'_>, _, _); 5] = [
        (THREE_OF_TWELVE, 0, &fresh, (Accepted, 3, 3, 3, 1), 3),
        // Each attempt but the first is repeated once.
        (THREE_OF_TWELVE, 0, &by_second, (Accepted, 3, 5, 5, 5), 9),
        // Seven waits, in this case and earlier ones.
        (THREE_OF_TWELVE, 0, &fixed, (WrongAnswer, 0, 10, 1, 8), 17),
        (THREE_OF_TWELVE, 5, &fixed, (WrongAnswer, 0, 10, 1, 3), 12),
        // Waiting ends even if all failures print the same.
        (
            rate(200),
            0,
            &half,
            (PartiallyCorrect, 115, 200, 116, 32),
            230,
        ),
    ];
    for (rule, repetitions, program, expected, expected_runs) in table {
        let (result, runs) = judged(rule, repetitions, program);
        let of = result.attempts.unwrap();
        let found = (result.verdict, of.accepted, of.made, of.outputs, of.seconds);
        assert_eq!((found, runs), (expected, expected_runs));
    }
}

#[test]
fn an_attempt_begun_at_the_end_of_a_second_may_have_seen_the_next() {
    let (mut clock, mut began) = (950, Vec::new());
    let mut plan = plan(THREE_OF_TWELVE);
    while plan.done.is_none() {
        clock = clock.max(plan.again.unwrap_or_default() * 1000);
        began.push(clock);
        plan.made(attempt(clock, Accepted, 1, 1), false);
        clock += 100;
    }
    // At 1050 it printed what it had printed at 950: both may have seen second 1.
    assert_eq!(began, [950, 1050, 2000, 2100, 3000]);
}

#[test]
fn the_cases_of_a_program_that_seeds_from_the_clock_take_the_seconds_of_one() {
    let assignment = doubling(|problem| {
        for subtask in &mut problem.subtasks {
            subtask.attempts = Some(THREE_OF_TWELVE);
        }
    });
    let rule = THREE_OF_TWELVE;
    let cases = CaseRef::all(&assignment.problems[0].problem);
    let cases: Vec<_> = cases.map(|at| Ruled { at, rule }).collect();
    let (mut now, mut log) = (0, Vec::new());
    let mut attempts = Interleaved::default();
    for (at, case) in cases.iter().enumerate() {
        let later = cases[at + 1..].to_vec();
        let mut policy = AttemptsAt::new(&mut attempts, *case, later, LanguageId::C);
        let result = loop {
            let news = match policy.next(now) {
                Next::Times(_) => News::Times(None),
                Next::Run(plan) => {
                    let name = &plan.at.case.name;
                    log.push(format!("{now} {name}"));
                    let output = now * 10 + name.as_str().len() as u64;
                    News::Ran(Box::new(attempt(now * 1000, Accepted, output, 1)))
                }
                Next::Wait(second) => {
                    now = second;
                    continue;
                }
                Next::Done(result) => break result,
                next @ Next::Reference(_) => panic!("{next:?}"),
            };
            policy.told(news);
        };
        let of = result.attempts.unwrap();
        assert_eq!((of.made, of.accepted, of.outputs, of.seconds), (3, 3, 3, 3));
    }
    let once = |second: u64| (1..=5).map(move |n| format!("{second} n={n}"));
    let twice = |second| once(second).flat_map(|line| [line.clone(), line]);
    // In the last second the first cases are done before the others go on.
    assert_eq!(
        log[..20],
        [twice(0), twice(1)]
            .map(Iterator::collect::<Vec<_>>)
            .concat()
    );
    assert_eq!(log[20..], once(2).collect::<Vec<_>>());
}

#[test]
fn the_slowest_success_or_the_first_failure_stands_for_a_case() {
    let failing = |from: u32| {
        move |_, run: u32| match run {
            _ if run < from => (Accepted, run.into()),
            _ if run == from => (TimeLimit, run.into()),
            _ => (WrongAnswer, run.into()),
        }
    };
    for (rule, from, expected, share, of_run) in [
        (THREE_OF_TWELVE, 4, Accepted, None, 3),
        (THREE_OF_TWELVE, 3, TimeLimit, None, 3),
        (rate(8), 9, Accepted, None, 8),
        (rate(8), 6, PartiallyCorrect, Some(62.5), 6),
        (rate(8), 1, TimeLimit, None, 1),
    ] {
        let (result, _) = judged(rule, 0, failing(from));
        assert_eq!(result.verdict, expected);
        assert_eq!(result.share, share.map(|percent| Share::of(percent, 100.0)));
        assert_eq!(cpu(&result), Some(Duration::from_millis(of_run)));
    }
    let (result, runs) = judged(THREE_OF_TWELVE, 0, |_, _| (JudgeError, 0));
    assert_eq!((result.verdict, runs), (JudgeError, 1));
}

#[test]
fn nearness_to_the_limit_is_reported_where_it_may_have_failed_a_case() {
    let near = |verdicts: &[(Verdict, bool)]| {
        let mut plan = plan(THREE_OF_TWELVE);
        for at in 0.. {
            let (verdict, near) = verdicts[verdicts.len().min(at + 1) - 1];
            let mut made = attempt(0, verdict, at as u64, 1);
            made.result.near_limit = near;
            plan.made(made, false);
            if let Some(result) = plan.done {
                return result.near_limit;
            }
        }
        unreachable!()
    };
    let (fine, close) = ((Accepted, true), (TimeLimit, true));
    assert!(!near(&[close, fine]));
    assert!(!near(&[fine, fine, (WrongAnswer, false)]));
    assert!(near(&[fine, close, (WrongAnswer, false)]));
}

#[test]
fn repetitions_of_all_cases_count_until_one_varies() {
    let case = |outputs, seconds| case(3, outputs, seconds);
    let of = |cases: &[Attempts]| repetitions(cases.iter().copied());
    assert_eq!(of(&[]), Some(0));
    assert_eq!(of(&[case(1, 3), case(0, 0), case(1, 8)]), Some(9));
    assert_eq!(of(&[case(1, 3), case(2, 3)]), None);
}

#[test]
fn stopping_early_never_changes_the_outcome() {
    for sequence in 0_u32..1 << THREE_OF_TWELVE.runs {
        let mut accepted = 0;
        let certain = (0..THREE_OF_TWELVE.runs).any(|made| {
            accepted += sequence >> made & 1;
            is_certain(THREE_OF_TWELVE, accepted, made + 1 - accepted)
        });
        let is_met = sequence.count_ones() >= 3;
        assert_eq!((certain, accepted >= 3), (true, is_met), "{sequence:012b}");
    }
}

fn case(accepted: u32, outputs: u32, seconds: u32) -> Attempts {
    Attempts {
        runs: 12,
        at_least: Some(3),
        made: accepted.max(10),
        accepted,
        outputs,
        seconds,
    }
}

#[test]
fn the_same_output_in_every_attempt_is_flagged_with_each_case() {
    let raised = |cases: &[Attempts]| {
        let names: Vec<CaseName> = (1..)
            .take(cases.len())
            .map(|n| CaseName::new(format!("n={n}")))
            .collect();
        flag(&names.iter().zip(cases.iter().copied()).collect::<Vec<_>>())
    };
    let same = case(3, 1, 3);
    // Failures in a case that was not passed say nothing about its answers.
    let flag = raised(&[same, case(3, 1, 2), case(3, 1, 1), case(0, 2, 1)]).unwrap();
    assert_eq!(flag.code, "same-answer");
    let evidence = flag
        .evidence
        .iter()
        .map(|one| (one.message.en.as_str(), one.message.zh.as_str()));
    assert!(evidence.eq([
        (
            "n=1: 10 attempts, in 3 different seconds, 1 output",
            "n=1：在 3 个不同的秒内运行了 10 次，只有 1 种输出"
        ),
        (
            "n=2: 10 attempts, in 2 different seconds, 1 output",
            "n=2：在 2 个不同的秒内运行了 10 次，只有 1 种输出"
        ),
    ]));
    // A small board has few solutions: a single case may be coincidence. So may all attempts within one second.
    for cases in [
        &[][..],
        &[same],
        &[same, case(2, 1, 8)],
        &[same, case(3, 1, 1)],
        &[same, same, case(3, 2, 3)],
    ] {
        assert_eq!(raised(cases), None);
    }
}

use std::cell::{Cell, RefCell};
use std::time::{Duration, UNIX_EPOCH};

use grader_model::Share;

use super::*;

/// A clock that stands still but for who sleeps.
struct FakeClock {
    now: Cell<SystemTime>,
    slept: Cell<Duration>,
}

impl FakeClock {
    fn at(millis: u64) -> Self {
        Self {
            now: Cell::new(UNIX_EPOCH + Duration::from_millis(millis)),
            slept: Cell::new(Duration::ZERO),
        }
    }

    fn pass(&self, time: Duration) {
        self.now.set(self.now.get() + time);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> SystemTime {
        self.now.get()
    }

    fn sleep(&self, time: Duration) {
        self.slept.set(self.slept.get() + time);
        self.pass(time);
    }
}

/// An attempt that begins now, with this verdict and output.
fn attempt(clock: &FakeClock, verdict: Verdict, output: u64) -> CaseRun {
    let mut result = CaseResult::unrun(CaseName::new("n=8"), verdict, Text::default());
    result.message = None;
    CaseRun {
        result,
        printed: Some(Printed {
            began: clock.now(),
            answer: *blake3::hash(&output.to_le_bytes()).as_bytes(),
        }),
        contention: None,
    }
}

const THREE_OF_TWELVE: AttemptRule = AttemptRule {
    runs: 12,
    at_least: Some(3),
};

/// What a program comes to that gives this verdict and output in a second, each run taking 10 ms; with the number of
/// its runs.
fn judged(
    rule: AttemptRule,
    earlier: Repetitions,
    clock: &FakeClock,
    program: impl Fn(u64, u32) -> (Verdict, u64),
) -> (CaseResult, u32) {
    let runs = Cell::new(0);
    let tally = Tally::new(rule, earlier);
    let result = until_certain(tally, clock, &Stop::new(), || {
        runs.set(runs.get() + 1);
        let (verdict, output) = program(second(clock.now()), runs.get());
        let made = attempt(clock, verdict, output);
        clock.pass(Duration::from_millis(10));
        Ok(made)
    });
    (result.unwrap(), runs.get())
}

fn counts(result: &CaseResult) -> (Verdict, u32, u32, u32, u32) {
    let attempts = result.attempts.unwrap();
    (
        result.verdict,
        attempts.accepted,
        attempts.made,
        attempts.outputs,
        attempts.seconds,
    )
}

const NONE: Repetitions = Repetitions {
    repetitions: 0,
    varies: false,
};
use Verdict::{Accepted, PartiallyCorrect, TimeLimit, WrongAnswer};

#[test]
fn a_program_that_draws_fresh_numbers_is_not_waited_for() {
    let clock = FakeClock::at(0);
    let (result, runs) = judged(THREE_OF_TWELVE, NONE, &clock, |_, run| {
        (Accepted, run.into())
    });
    assert_eq!(counts(&result), (Accepted, 3, 3, 3, 1));
    assert_eq!((runs, clock.slept.get()), (3, Duration::ZERO));
}

#[test]
fn a_program_seeded_by_the_second_has_one_attempt_in_each_second() {
    let clock = FakeClock::at(0);
    // The first two seconds are bad luck, however often it is run in them.
    let (result, runs) = judged(THREE_OF_TWELVE, NONE, &clock, |second, _| {
        let verdict = if second < 2 { WrongAnswer } else { Accepted };
        (verdict, second)
    });
    assert_eq!(counts(&result), (Accepted, 3, 5, 5, 5));
    // Each attempt but the first was made a second time.
    assert_eq!(runs, 9);
}

#[test]
fn an_attempt_begun_at_the_end_of_a_second_may_have_seen_the_next() {
    let clock = FakeClock::at(950);
    let tally = Tally::new(THREE_OF_TWELVE, NONE);
    let began = RefCell::new(Vec::new());
    until_certain(tally, &clock, &Stop::new(), || {
        let made = attempt(&clock, Accepted, 1);
        let since = clock.now().duration_since(UNIX_EPOCH).unwrap();
        began.borrow_mut().push(since.as_millis());
        clock.pass(Duration::from_millis(100));
        Ok(made)
    })
    .unwrap();
    // At 1050 it printed what it had printed at 950: both may have seen second 1.
    assert_eq!(began.into_inner(), [950, 1050, 2000, 2100, 3000]);
}

#[test]
fn a_fixed_program_is_waited_for_seven_times_and_each_attempt_is_made() {
    let clock = FakeClock::at(0);
    let (result, runs) = judged(THREE_OF_TWELVE, NONE, &clock, |_, _| (WrongAnswer, 1));
    assert_eq!(counts(&result), (WrongAnswer, 0, 10, 1, 8));
    assert_eq!(runs, 17);
}

#[test]
fn waiting_has_an_end_where_failures_all_print_the_same() {
    let clock = FakeClock::at(0);
    let rate = AttemptRule {
        runs: 200,
        at_least: None,
    };
    let (result, runs) = judged(rate, NONE, &clock, |_, run| {
        if run % 2 == 0 {
            (WrongAnswer, 0)
        } else {
            (Accepted, run.into())
        }
    });
    assert_eq!(result.attempts.unwrap().made, 200);
    assert_eq!(runs, 230);
}

#[test]
fn the_slowest_accepted_attempt_stands_for_a_case_that_is_met() {
    let clock = FakeClock::at(0);
    let mut times = [
        (Accepted, 20),
        (WrongAnswer, 70),
        (Accepted, 40),
        (Accepted, 30),
    ]
    .into_iter();
    let result = until_certain(
        Tally::new(THREE_OF_TWELVE, NONE),
        &clock,
        &Stop::new(),
        || {
            let (verdict, millis) = times.next().unwrap();
            Ok(timed(&clock, verdict, millis))
        },
    )
    .unwrap();
    assert_eq!(result.verdict, Accepted);
    assert_eq!(result.outcome.unwrap().cpu.0, Duration::from_millis(40));
    assert_eq!(times.next(), None);
}

fn timed(clock: &FakeClock, verdict: Verdict, millis: u64) -> CaseRun {
    let mut made = attempt(clock, verdict, millis);
    made.result.outcome = Some(grader_model::Outcome {
        cpu: grader_model::CpuTime(Duration::from_millis(millis)),
        wall: grader_model::WallTime(Duration::from_millis(millis)),
        memory: None,
        stdout: grader_model::Bytes(0),
        stderr: grader_model::Bytes(0),
        end: grader_model::End::Exited(0),
        breach: None,
    });
    made
}

#[test]
fn the_first_failure_stands_for_a_case_that_is_not_met() {
    let clock = FakeClock::at(0);
    let (result, _) = judged(THREE_OF_TWELVE, NONE, &clock, |_, run| match run {
        1 | 2 => (Accepted, run.into()),
        3 => (TimeLimit, run.into()),
        _ => (WrongAnswer, run.into()),
    });
    assert_eq!(counts(&result), (TimeLimit, 2, 12, 12, 1));
    assert_eq!(result.share, None);
}

#[test]
fn for_a_rate_the_share_is_the_accepted_part() {
    let rate = AttemptRule {
        runs: 8,
        at_least: None,
    };
    let shared = |accepted: u32| {
        let clock = FakeClock::at(0);
        let (result, _) = judged(rate, NONE, &clock, |_, run| {
            let verdict = if run > accepted {
                WrongAnswer
            } else {
                Accepted
            };
            (verdict, run.into())
        });
        (result.verdict, result.share)
    };
    assert_eq!(shared(8), (Accepted, None));
    assert_eq!(
        shared(5),
        (PartiallyCorrect, Some(Share::from_thousandths(625)))
    );
    assert_eq!(shared(0), (WrongAnswer, None));
}

#[test]
fn a_judge_error_in_one_attempt_is_the_result_of_the_case() {
    let clock = FakeClock::at(0);
    let runs = Cell::new(0);
    let result = until_certain(
        Tally::new(THREE_OF_TWELVE, NONE),
        &clock,
        &Stop::new(),
        || {
            runs.set(runs.get() + 1);
            Ok(attempt(&clock, Verdict::JudgeError, 0))
        },
    );
    assert_eq!(result.unwrap().verdict, Verdict::JudgeError);
    let fault = until_certain(
        Tally::new(THREE_OF_TWELVE, NONE),
        &clock,
        &Stop::new(),
        || {
            runs.set(runs.get() + 1);
            Err(Fault::NoReference)
        },
    );
    assert!(matches!(fault, Err(Fault::NoReference)));
    assert_eq!(runs.get(), 2);
}

#[test]
fn a_request_to_stop_ends_attempts_and_waits_without_a_result() {
    let clock = FakeClock::at(0);
    let stop = Stop::new();
    let runs = Cell::new(0);
    let tally = Tally::new(THREE_OF_TWELVE, NONE);
    // Asked for during the second attempt, which prints what the first did: the wait ends at once.
    let stopped = until_certain(tally, &clock, &stop, || {
        runs.set(runs.get() + 1);
        if runs.get() == 2 {
            stop.request();
        }
        Ok(attempt(&clock, Accepted, 1))
    });
    assert!(matches!(stopped, Err(Fault::Stopped)));
    assert_eq!((runs.get(), clock.slept.get()), (2, Duration::ZERO));
}

#[test]
fn a_clock_that_is_set_back_is_not_waited_for_without_end() {
    /// Sleeping does not make this one go on.
    struct Stuck(Cell<u32>);
    impl Clock for Stuck {
        fn now(&self) -> SystemTime {
            UNIX_EPOCH
        }
        fn sleep(&self, _: Duration) {
            self.0.set(self.0.get() + 1);
        }
    }
    let clock = Stuck(Cell::new(0));
    wait_for(100, &clock, &Stop::new()).unwrap();
    assert_eq!(clock.0.get(), 40);
}

#[test]
fn nearness_to_the_limit_is_told_where_it_may_have_decided() {
    let near = |verdicts: &[(Verdict, bool)]| {
        let clock = FakeClock::at(0);
        let mut left = verdicts.iter().zip(1..);
        let result = until_certain(
            Tally::new(THREE_OF_TWELVE, NONE),
            &clock,
            &Stop::new(),
            || {
                let ((verdict, near), output) = left.next().unwrap();
                let mut made = attempt(&clock, *verdict, output);
                made.result.near_limit = *near;
                Ok(made)
            },
        );
        result.unwrap().near_limit
    };
    let [fine, close] = [(Accepted, false), (Accepted, true)];
    let [slow, slower] = [(TimeLimit, true), (TimeLimit, false)];
    assert!(!near(&[fine, fine, slow, fine]));
    assert!(near(&[fine, close, fine]));
    let missed = |kept: &[(Verdict, bool)]| {
        let mut all = kept.to_vec();
        all.resize(12, slower);
        near(&all[..12])
    };
    assert!(!missed(&[fine, fine]));
    assert!(missed(&[fine, fine, slow]));
    // One of the two accepted is missing, and one of the slow ones does not make up for it.
    assert!(!near(&[&[fine, slow][..], &[slower; 9]].concat()));
}

#[test]
fn a_program_is_fixed_only_after_seven_repetitions_and_no_other_output() {
    let case = |accepted, made, outputs, seconds| Attempts {
        runs: 12,
        at_least: Some(3),
        made,
        accepted,
        outputs,
        seconds,
    };
    let same = case(3, 3, 1, 3);
    let three = NONE.and(&same, false).and(&same, false).and(&same, false);
    assert!(!three.is_fixed());
    assert!(three.and(&same, false).is_fixed());
    assert!(
        !three
            .and(&case(3, 3, 2, 3), false)
            .and(&same, false)
            .is_fixed()
    );
    // Where one answer is right, everybody who is right prints it.
    assert!(!three.and(&same, true).is_fixed());
    assert!(NONE.and(&case(0, 10, 1, 8), true).is_fixed());
}

#[test]
fn stopping_early_never_changes_the_outcome() {
    for sequence in 0_u32..1 << THREE_OF_TWELVE.runs {
        let all = if sequence.count_ones() >= 3 {
            Outcome::Met
        } else {
            Outcome::Missed
        };
        let mut accepted = 0;
        let stopped = (0..THREE_OF_TWELVE.runs).find_map(|made| {
            accepted += sequence >> made & 1;
            certain(THREE_OF_TWELVE, accepted, made + 1 - accepted)
        });
        assert_eq!(stopped, Some(all), "{sequence:012b}");
    }
}

/// The probability that the rule is met by a program that succeeds with probability `p`: the upper tail of the
/// binomial distribution.
fn met(rule: AttemptRule, p: f64) -> f64 {
    let runs = f64::from(rule.runs);
    let mut choose = 1.0;
    let mut sum = 0.0;
    for k in 0..=rule.runs {
        if rule.at_least.is_some_and(|at_least| k >= at_least) {
            sum += choose * p.powi(k as i32) * (1.0 - p).powi((rule.runs - k) as i32);
        }
        choose *= (runs - f64::from(k)) / f64::from(k + 1);
    }
    sum
}

/// What `problems/n-queens/annealing/problem.toml` says of its rule.
#[test]
fn three_of_twelve_is_met_almost_surely_at_a_rate_of_60_per_cent() {
    let percent = |p: f64| format!("{:.2}", p * 100.0);
    assert_eq!(percent(met(THREE_OF_TWELVE, 0.6)), "99.72");
    assert_eq!(percent(met(THREE_OF_TWELVE, 0.6).powi(4)), "98.88");
    assert_eq!(percent(met(THREE_OF_TWELVE, 0.9)), "100.00");
    assert_eq!(percent(met(THREE_OF_TWELVE, 0.05)), "1.96");
}

fn case(accepted: u32, made: u32, outputs: u32, seconds: u32) -> Attempts {
    Attempts {
        runs: 12,
        at_least: Some(3),
        made,
        accepted,
        outputs,
        seconds,
    }
}

fn raised(cases: &[Attempts]) -> Option<Flag> {
    let names: Vec<CaseName> = (1..=cases.len())
        .map(|n| CaseName::new(format!("n={n}")))
        .collect();
    flag(&names.iter().zip(cases).collect::<Vec<_>>())
}

#[test]
fn the_same_output_in_every_attempt_is_flagged_with_each_case() {
    let flag = raised(&[case(3, 3, 1, 3), case(3, 3, 1, 2), case(3, 3, 1, 1)]).unwrap();
    assert_eq!(flag.code, "same-answer");
    let evidence: Vec<(&str, &str)> = flag
        .evidence
        .iter()
        .map(|one| (one.message.en.as_str(), one.message.zh.as_str()))
        .collect();
    assert_eq!(
        evidence,
        [
            (
                "n=1: 3 attempts, in 3 different seconds, 1 output",
                "n=1：运行 3 次，分布在 3 个不同的秒内，只有 1 种输出"
            ),
            (
                "n=2: 3 attempts, in 2 different seconds, 1 output",
                "n=2：运行 3 次，分布在 2 个不同的秒内，只有 1 种输出"
            ),
            (
                "n=3: 3 attempts, all in the same second, 1 output",
                "n=3：运行 3 次，都在同一秒内，只有 1 种输出"
            ),
        ]
    );
}

#[test]
fn what_was_accepted_too_rarely_or_within_one_second_says_nothing() {
    let same = case(3, 3, 1, 3);
    // A small board has few solutions: one case alone may be chance.
    assert_eq!(raised(&[same]), None);
    assert_eq!(raised(&[same, case(2, 12, 1, 8)]), None);
    assert_eq!(raised(&[same, case(3, 3, 1, 1)]), None);
    assert_eq!(raised(&[]), None);
    // Failures of a case that was not passed say nothing of its answers.
    assert!(raised(&[same, same, case(0, 10, 2, 1)]).is_some());
}

//! Verdicts of programs with known times.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use grader_language::{Languages, SourceFacts};
use grader_model::{Breach, End, Judgement, Mark, NamedCase, Outcome, Share, WallTime};
use grader_problem::{CaseMultiple, Problem, ReferenceLimit, ReferenceTimes, TimeRule, TimeStep};

use super::*;
use crate::decide::policy::RunPlan;
use crate::decide::run::Run;
use crate::decide::timing::with_band;
use crate::decide::verdict::{self, Checks, Rules};
use crate::tests::{doubling, ended_well};

fn ms(millis: u64) -> CpuTime {
    CpuTime::from_millis(millis)
}

/// A program's behaviour in one run.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// Answers after this many milliseconds.
    Right(u64),
    Wrong(u64),
    /// Answers after this many milliseconds of CPU time, and this many times as much wall time: it is kept from the
    /// processor.
    Waits(u64, u32),
    /// The same, but it sleeps.
    Sleeps(u64, u32),
    /// The same, but it sleeps in a quarter of the time and waits in the rest.
    Dozes(u64, u32),
}
use Does::{Dozes, Right, Sleeps, Waits, Wrong};

/// A checker that says this of every output.
struct Says(Judgement);

impl Checks for Says {
    type Fault = Infallible;

    fn interactors(&mut self) -> Result<Option<Judgement>, Infallible> {
        Ok(None)
    }

    fn check_stderr(&mut self, _: &[u8]) -> Result<Option<Judgement>, Infallible> {
        Ok(None)
    }

    fn check(&mut self, _: &[u8]) -> Result<Judgement, Infallible> {
        Ok(self.0.clone())
    }

    fn is_answer_of_another(&mut self, _: &[u8]) -> Result<bool, Infallible> {
        Ok(false)
    }
}

impl Does {
    /// The judged run, and a line for the log.
    fn run(self, plan: &RunPlan<'_>) -> (JudgedRun, String) {
        let (millis, times, rest) = match self {
            Right(millis) | Wrong(millis) => (millis, 1, String::new()),
            Waits(millis, times) | Sleeps(millis, times) | Dozes(millis, times) => {
                (millis, times, format!(" in {}", plan.wall))
            }
        };
        let cpu = ms(millis).min(with_band(plan.limits).cpu);
        let wall = WallTime(cpu.0 * times).min(plan.wall);
        let waited = match self {
            Waits(..) => wall.0.saturating_sub(wall.0 / times),
            Dozes(..) => wall.0 * 3 / 4,
            Right(_) | Wrong(_) | Sleeps(..) => Duration::ZERO,
        };
        let (breach, cpu) = if wall == plan.wall {
            (Some(Breach::Wall), CpuTime(wall.0 / times))
        } else {
            ((cpu < ms(millis)).then_some(Breach::Cpu), cpu)
        };
        let outcome = Outcome {
            end: breach.map_or(End::Exited(0), |_| End::Signalled(9)),
            breach,
            wall,
            ..ended_well(cpu)
        };
        let run = Run {
            answer: Some(Vec::new()),
            ..Run::new(outcome, UNIX_EPOCH, Some(waited))
        };
        let languages = Languages::built_in();
        let rules = Rules {
            language: languages.get(LanguageId::C).unwrap(),
            has_authors_main: false,
            facts: &SourceFacts::default(),
            sources: &[],
            run: &plan.at.problem.run,
            case: plan.at.case,
            limits: plan.limits,
        };
        let mark = match self {
            Wrong(_) => Mark::Wrong,
            _ => Mark::Right,
        };
        let judgement = Judgement {
            mark,
            evidence: Vec::new(),
        };
        let Ok(result) = verdict::judged(&run, &rules, &mut Says(judgement));
        let name = &plan.at.case.name;
        let judged = JudgedRun {
            result,
            contention: run.contention,
            ..JudgedRun::not_started(name, Verdict::Accepted, Text::default())
        };
        let alone = if plan.alone { " alone" } else { "" };
        (judged, format!("{millis}{rest}{alone}"))
    }
}

/// `n=2 AC 2.4 s of 3 s, near, alone 2.4 s by 1 s; a message`.
fn shown(case: &CaseResult) -> String {
    let cpu = case.outcome.as_ref().map(|it| it.cpu).unwrap_or_default();
    let limit = case.limits.map(|it| it.cpu).unwrap_or_default();
    let mut text = format!("{} {} {cpu} of {limit}", case.name, case.verdict.code());
    if case.near_limit {
        text.push_str(", near");
    }
    if let Some(confirmation) = &case.confirmation {
        let times = |times: &[CpuTime]| {
            let times: Vec<String> = times.iter().map(ToString::to_string).collect();
            times.join(" ")
        };
        let (runs, by) = (&confirmation.runs, &confirmation.reference_times);
        write!(text, ", alone {} by {}", times(runs), times(by)).unwrap();
        if !confirmation.resolved {
            text.push_str(", not settled");
        }
    }
    if let Some(share) = case.share {
        write!(text, ", share {}", share.millionths() / 1000).unwrap();
    }
    if let Some(message) = &case.message {
        write!(text, "; {}", message.en).unwrap();
    }
    text
}

type Change = fn(&mut Problem);

const THREE_TIMES: ReferenceLimit = ReferenceLimit {
    factor: 3.0,
    case: None,
    at_least: None,
    at_most: None,
    slowest: false,
    round_up: None,
};

/// The result of a case whose limit is three times the reference's time of 1 s, and the runs in order. The last run of
/// a list is repeated as needed. The reference runs alone, before the program: `reference n=2: 1000`.
fn judged(case: usize, change: Change, runs: &[Does], reference: &[u64]) -> (String, Vec<String>) {
    let assignment = doubling(|problem| {
        problem.limits.time = TimeRule::Reference(THREE_TIMES);
        // Round numbers.
        problem.limits.slack = CpuTime::default();
        problem.subtasks.truncate(1);
        change(problem);
    });
    let problem = &assignment.problems[0].problem;
    let at = CaseRef::all(problem).nth(case).unwrap();
    let mut pairs = Pairs::new(at, LanguageId::C);
    let (mut made, mut measured, mut log) = (0, 0, Vec::new());
    loop {
        let news = match pairs.next(0) {
            Next::Times(_) => News::Times(Some(ReferenceTimes {
                own: if case == 0 && at.case.time.is_none() {
                    ms(100)
                } else {
                    ms(1000)
                },
                at_least: Some(ms(1000)),
                ..ReferenceTimes::default()
            })),
            Next::Run(plan) => {
                let (run, line) = runs[made.min(runs.len() - 1)].run(&plan);
                log.push(line);
                made += 1;
                News::Ran(Box::new(run))
            }
            Next::Reference(at) => {
                let millis = *reference
                    .get(measured)
                    .or(reference.last())
                    .unwrap_or(&1000);
                log.push(format!("reference {}: {millis}", at.case.name));
                measured += 1;
                News::Reference(Some(ms(millis)))
            }
            Next::Done(result) => return (shown(&result), log),
            Next::Wait(second) => panic!("waits for {second}"),
        };
        pairs.told(news);
    }
}

/// The result of n = 2.
fn second(change: Change, runs: &[Does], reference: &[u64]) -> (String, Vec<String>) {
    judged(1, change, runs, reference)
}

fn steps(problem: &mut Problem) {
    let steps = [(0.5, 100.0), (1.5, 60.0), (2.0, 25.0)].map(|(ratio, percent)| TimeStep {
        ratio,
        share: Share::of(percent, 100.0),
    });
    problem.subtasks[0].by_time = steps.to_vec();
}

#[test]
#[rustfmt::skip]
fn a_case_is_run_once_unless_its_time_is_near_a_threshold() {
    let plain: Change = |_| ();
    let never: Change = |problem| problem.limits.confirm = 0;
    let thrice = "by 1 s 1 s 1 s";
    let table: [(Change, &[Does], &[u64], &str); 19] = [
        (plain, &[Right(1400)], &[], "AC 1.4 s of 3 s"),
        (plain, &[Right(2307)], &[], "AC 2.31 s of 3 s"),
        (plain, &[Right(2308)], &[], "AC 2.31 s of 3 s, near, alone 2.31 s 2.31 s 2.31 s BY"),
        (steps, &[Right(384)], &[], "AC 384 ms of 3 s, share 1000"),
        (plain, &[Right(5000)], &[], "TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s"),
        (plain, &[Right(3100), Right(2000)], &[], "AC 2 s of 3 s, near, alone 2 s 2 s 2 s BY"),
        (plain, &[Right(2990), Right(3200), Right(3100), Right(3150)], &[],
            "TLE 3.1 s of 3 s, near, alone 3.2 s 3.1 s 3.15 s BY; its fastest run, with nothing else running, used 3.1 s of CPU time; the limit is 3 s"),
        (plain, &[Right(2990), Right(3010), Right(2990), Right(3020)], &[1000, 1000, 1010],
            "AC 2.99 s of 3 s, near, alone 3.01 s 2.99 s 3.02 s by 1 s 1 s 1.01 s, not settled; its fastest run, with nothing else running, used 2.99 s of CPU time; the limit is 3 s; not settled: the runs disagree"),
        // The machine became slower after the reference was measured: the limit follows.
        (plain, &[Right(3600)], &[1500], "AC 3.6 s of 4.5 s, near, alone 3.6 s 3.6 s 3.6 s by 1.5 s 1.5 s 1.5 s"),
        // Each kept to the limit of its own pair, but the smallest time exceeds the limit of the smallest reference time.
        (plain, &[Right(3000), Right(3010), Right(3020), Right(3010)], &[1000, 1010, 1000],
            "TLE 3.01 s of 3 s, near, alone 3.01 s 3.02 s 3.01 s by 1 s 1.01 s 1 s, not settled; its fastest run, with nothing else running, used 3.01 s of CPU time; the limit is 3 s; not settled: the runs disagree"),
        // The machine slowed to half its speed: both times follow.
        (plain, &[Right(2900), Right(6200), Right(3100), Right(6200)], &[2000, 1000, 2000],
            "TLE 3.1 s of 3 s, near, alone 6.2 s 3.1 s 6.2 s by 2 s 1 s 2 s; its fastest run, with nothing else running, used 3.1 s of CPU time; the limit is 3 s"),
        // A run that gives up early is wrong, not fast.
        (plain, &[Right(3050), Wrong(10), Right(2950), Wrong(2940)], &[], "AC 2.95 s of 3 s, near, alone 2.95 s by 1 s"),
        (plain, &[Right(2950), Wrong(2900)], &[], "AC 2.95 s of 3 s, near"),
        (never, &[Right(3100)], &[], "TLE 3.1 s of 3 s, near; took 3.1 s of CPU time; the limit is 3 s"),
        (steps, &[Right(900)], &[], "AC 900 ms of 3 s, share 600; accepted; 0.9 times the reference's time earns 60%"),
        (steps, &[Right(1550), Right(1100)], &[],
            "AC 1.1 s of 3 s, near, alone 1.1 s 1.1 s 1.1 s BY, share 600; accepted; 1.1 times the reference's time earns 60%"),
        (steps, &[Right(1550), Right(1510), Right(1490), Right(1520)], &[],
            "AC 1.49 s of 3 s, near, alone 1.51 s 1.49 s 1.52 s BY, not settled, share 600; accepted; 1.49 times the reference's time earns 60%; its fastest run, with nothing else running, used 1.49 s of CPU time; the limit is 3 s; not settled: the runs disagree"),
        (steps, &[Right(1550), Wrong(100), Right(1530), Wrong(100)], &[],
            "AC 1.53 s of 3 s, near, alone 1.53 s by 1 s, share 250; accepted; 1.53 times the reference's time earns 25%"),
        (steps, &[Right(1450), Wrong(10)], &[],
            "AC 1.45 s of 3 s, near, share 600; accepted; 1.45 times the reference's time earns 60%"),
    ];
    for (change, runs, reference, expected) in table {
        let (found, _) = second(change, runs, reference);
        assert_eq!(found, format!("n=2 {}", expected.replace("BY", thrice)), "{runs:?}");
    }
}

#[test]
fn the_reference_runs_before_the_program_in_each_pair() {
    let (_, log) = second(|_| (), &[Right(2990), Right(2980)], &[]);
    let pair = ["reference n=2: 1000", "2980 alone"];
    assert_eq!(log, [&["2990"][..], &pair, &pair, &pair].concat());
    let (wrong, log) = second(|_| (), &[Wrong(2950)], &[]);
    assert_eq!(
        (&*wrong, &*log),
        ("n=2 WA 2.95 s of 3 s", &["2950".to_owned()][..])
    );
}

#[test]
fn a_limit_that_follows_another_case_is_confirmed_by_the_reference_in_that_case() {
    fn second(problem: &Problem) -> NamedCase {
        let subtask = &problem.subtasks[0];
        NamedCase {
            name: format!("{}/{}", subtask.name, subtask.cases[1].name),
            hidden: false,
        }
    }
    let at_least_the_second: Change = |problem| {
        let (factor, case) = (1.0, second(problem));
        problem.limits.time = TimeRule::Reference(ReferenceLimit {
            at_least: Some(CaseMultiple { factor, case }),
            ..THREE_TIMES
        });
    };
    let by_the_second: Change = |problem| {
        problem.subtasks[0].cases[0].time = Some(ReferenceLimit {
            factor: 1.0,
            case: Some(second(problem)),
            ..THREE_TIMES
        });
    };
    for change in [at_least_the_second, by_the_second] {
        let runs = [Right(1050), Right(1020), Right(980)];
        let (found, log) = judged(0, change, &runs, &[]);
        assert_eq!(
            found,
            "n=1 AC 980 ms of 1 s, near, alone 1.02 s 980 ms 980 ms by 1 s 1 s 1 s, not settled; its fastest run, with nothing else running, used 980 ms of CPU time; the limit is 1 s; not settled: the runs disagree"
        );
        let references = log.iter().filter(|it| it.starts_with("reference"));
        assert_eq!(references.collect::<Vec<_>>(), ["reference n=2: 1000"; 3]);
    }
}

#[test]
#[rustfmt::skip]
fn cpu_contention_fails_nobody_and_sleep_does() {
    let thrice: Change = |_| ();
    let never: Change = |problem| problem.limits.confirm = 0;
    // The limit of n = 2 is 3 s, so that it may take 11 s of wall time.
    let table: [(Change, &[Does], &str, &[&str]); 6] = [
        // Four times the wall time, and no more.
        (thrice, &[Waits(1200, 20)], "AC 1.2 s of 3 s", &["1200 in 11 s", "1200 in 44 s alone"]),
        (thrice, &[Waits(5000, 10)], "TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s",
            &["5000 in 11 s", "5000 in 44 s alone"]),
        (thrice, &[Sleeps(1200, 20)],
            "TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with only 550 ms of CPU time: it sleeps or waits",
            &["1200 in 11 s"]),
        (thrice, &[Waits(3890, 20)],
            "JE 0.0 ms of 0.0 ms; the machine is too busy: the program had used only 2.2 s of CPU time after 44 s of wall time, in the last of 3 runs alone",
            &["3890 in 11 s", "3890 in 44 s alone", "3890 in 44 s alone", "3890 in 44 s alone"]),
        // It waits for a processor in three quarters of its time: the rest is more than its wall time limit.
        (thrice, &[Dozes(5000, 55)],
            "TLE 800 ms of 3 s; stopped after 44 s of wall time (limit 11 s) with 800 ms of CPU time: the machine was busy, or the wall limit is short",
            &["5000 in 11 s", "5000 in 44 s alone"]),
        (never, &[Waits(1200, 20)],
            "TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with 550 ms of CPU time: the machine was busy, or the wall limit is short",
            &["1200 in 11 s"]),
    ];
    for (change, runs, expected, log) in table {
        let (found, ran) = second(change, runs, &[]);
        assert_eq!(found, format!("n=2 {expected}"));
        assert_eq!(ran, log);
    }
}

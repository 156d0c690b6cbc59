use grader_model::{
    Breach, Bytes, CaseName, End, Outcome, Points, ProblemId, SubtaskName, WallTime,
};
use grader_problem::{DiskLibrary, Subtask, TimeFlags, load_problem};

use super::*;

/// `n-queens/count`, with rules of its own.
fn count(faster_than: Option<f64>, flat: Option<(f64, f64)>) -> Problem {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems");
    let loaded = load_problem(&DiskLibrary::new(folder), "n-queens/count", &["count"]);
    Problem {
        time_flags: TimeFlags {
            faster_than,
            flat: flat.map(|(from, to)| FlatRule {
                over: "n".to_owned(),
                from,
                to,
                at_least: 3.0,
            }),
        },
        ..loaded.value.unwrap()
    }
}

const BOTH: (Option<f64>, Option<(f64, f64)>) = (Some(0.002), Some((13.0, 16.0)));

/// What the reference takes for n = 4 to 16, in milliseconds.
const REFERENCE: [f64; 13] = [
    1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.3, 2.0, 6.0, 30.0, 170.0, 1000.0, 6500.0,
];

fn milliseconds(millis: f64) -> CpuTime {
    CpuTime(Duration::from_secs_f64(millis / 1000.0))
}

/// The results of accepted runs that took so many milliseconds for n = 4 to 16.
fn accepted(problem: &Problem, times: [f64; 13]) -> Vec<SubtaskResult> {
    let mut times = times.into_iter().zip(REFERENCE);
    problem
        .subtasks
        .iter()
        .map(|subtask| {
            let cases = subtask.cases.iter().zip(times.by_ref());
            let cases = cases.map(|(case, (cpu, yardstick))| CaseResult {
                message: None,
                outcome: Some(Outcome {
                    end: End::Exited(0),
                    breach: None,
                    cpu: milliseconds(cpu),
                    wall: WallTime(milliseconds(cpu).0),
                    memory: None,
                    stdout: Bytes(2),
                    stderr: Bytes(0),
                }),
                yardstick: Some(milliseconds(yardstick)),
                ..CaseResult::unrun(case.name.clone(), Verdict::Accepted, Text::default())
            });
            SubtaskResult {
                name: subtask.name.clone(),
                points: Some(subtask.points),
                max_points: subtask.points,
                verdict: Verdict::Accepted,
                hidden: false,
                message: None,
                growth: None,
                cases: cases.collect(),
            }
        })
        .collect()
}

/// The codes of the flags of a program that took so many milliseconds for n = 4 to 16.
fn codes(times: [f64; 13]) -> Vec<String> {
    let problem = count(BOTH.0, BOTH.1);
    let flags = time_flags(&problem, &accepted(&problem, times));
    flags.into_iter().map(|flag| flag.code).collect()
}

/// Times of a program that starts in so many milliseconds and works so many for n = 13 to 16.
fn times(startup: f64, work: [f64; 4]) -> [f64; 13] {
    let mut times = [startup; 13];
    for (time, work) in times[9..].iter_mut().zip(work) {
        *time += work;
    }
    times
}

const FASTER: &str = "faster-than-known";
const FLAT: &str = "time-does-not-grow";

#[test]
fn a_table_raises_both_flags_with_the_times_behind_them() {
    let problem = count(BOTH.0, BOTH.1);
    let table = times(1.2, [0.1, 0.0, 0.2, 0.4]);
    let flags = time_flags(&problem, &accepted(&problem, table));
    let written = |get: &dyn Fn(&Text) -> String| {
        let lines = flags.iter().flat_map(|flag| {
            let evidence = flag.evidence.iter().map(|it| get(&it.message));
            [format!("{}: {}", flag.code, get(&flag.message))]
                .into_iter()
                .chain(evidence)
        });
        lines.collect::<Vec<String>>().join("\n")
    };
    assert_eq!(
        written(&|text| text.en.clone()),
        "\
faster-than-known: the time of n=15, n=16 is so short that it cannot be explained by any enumeration we know; look at the source
n=15: 1.4 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 1 s here, 5000 times what is left; from 3.8 ms on it would be believable
n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 6.5 s here, 16250 times what is left; from 15 ms on it would be believable
time-does-not-grow: the time does not grow from n=13 to n=16, which cannot be explained by any enumeration we know; look at the source
n=13: 1.3 ms of CPU time, of which start-up takes about 1.2 ms
n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; from 7.2 ms on it would be believable
the reference takes 30 ms and 6.5 s here, 217 times as much"
    );
    assert_eq!(
        written(&|text| text.zh.clone()),
        "\
faster-than-known: n=15、n=16 用时之短，我们所知的任何枚举方法都无法解释；请查看源程序
n=15：CPU 时间 1.4 ms，其中启动约 1.2 ms；参考程序在本机用时 1 s，是其余部分的 5000 倍；3.8 ms 以上才可信
n=16：CPU 时间 1.6 ms，其中启动约 1.2 ms；参考程序在本机用时 6.5 s，是其余部分的 16250 倍；15 ms 以上才可信
time-does-not-grow: 从 n=13 到 n=16 用时没有增长，我们所知的任何枚举方法都无法解释；请查看源程序
n=13：CPU 时间 1.3 ms，其中启动约 1.2 ms
n=16：CPU 时间 1.6 ms，其中启动约 1.2 ms；7.2 ms 以上才可信
参考程序在本机用时 30 ms 和 6.5 s，后者是前者的 217 倍"
    );
}

#[test]
fn a_run_that_is_no_longer_than_its_start_up_is_told_without_a_false_ratio() {
    let problem = count(BOTH.0, None);
    let mut table = times(50.0, [0.0; 4]);
    table[12] = 45.0;
    let flags = time_flags(&problem, &accepted(&problem, table));
    assert_eq!(flags.len(), 1);
    let last = &flags[0].evidence.last().unwrap().message;
    assert_eq!(
        last.en,
        "n=16: 45 ms of CPU time, of which start-up takes about 50 ms; the reference takes 6.5 s here, more than 65000 times what is left; from 88 ms on it would be believable"
    );
}

#[test]
fn honest_programs_raise_none_however_fast_they_are() {
    // The bit-mask method, half a board, and the fastest that are known here, at all vector levels and in a JVM.
    for honest in [
        REFERENCE,
        times(1.0, [15.0, 85.0, 500.0, 3200.0]),
        times(1.0, [0.2, 1.3, 8.4, 36.0]),
        times(1.0, [2.4, 2.8, 21.0, 25.0]),
        times(1.0, [7.5, 8.0, 57.0, 83.0]),
        times(48.0, [40.0, 60.0, 300.0, 1500.0]),
    ] {
        assert_eq!(codes(honest), [""; 0], "{honest:?}");
    }
}

#[test]
fn a_start_up_that_wanders_hides_no_table() {
    let mut wandering = times(45.0, [10.0, -8.0, 4.0, 25.0]);
    wandering[2] = 92.0;
    wandering[5] = 37.0;
    assert_eq!(codes(wandering), [FASTER, FLAT]);
}

#[test]
fn just_enough_time_raises_none() {
    // 13 ms and half of the start-up: 15 ms with the start-up itself. The flat rule asks for 3 times 7 ms.
    let slow_beginning = |last| times(2.0, [2.0, 300.0, 600.0, last]);
    assert_eq!(codes(slow_beginning(13.9)), [FASTER]);
    assert_eq!(codes(slow_beginning(14.1)), [""; 0]);
    let growing = |last| times(2.0, [7.0, 300.0, 600.0, last]);
    assert_eq!(codes(growing(20.9)), [FLAT]);
    assert_eq!(codes(growing(21.1)), [""; 0]);
}

#[test]
fn where_less_than_two_milliseconds_would_be_too_fast_nothing_is_said() {
    let quick = |part| {
        let problem = count(Some(part), None);
        let table = times(1.0, [0.0; 4]);
        let flags = time_flags(&problem, &accepted(&problem, table));
        flags.first().map_or(0, |flag| flag.evidence.len())
    };
    assert_eq!(quick(1.9 / 6500.0), 0);
    assert_eq!(quick(2.0 / 6500.0), 1);
    assert_eq!(quick(2.0 / 170.0), 3);
}

#[test]
fn only_accepted_runs_are_looked_at_and_only_runs_that_ended_tell_the_start_up() {
    let problem = count(Some(0.0015), BOTH.1);
    let table = times(1.0, [0.0; 4]);
    let with = |change: &dyn Fn(&mut CaseResult)| {
        let mut results = accepted(&problem, table);
        change(&mut results[2].cases[3]);
        let flags = time_flags(&problem, &results);
        flags.iter().map(|f| f.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(with(&|_| ()), [FASTER, FLAT]);
    assert_eq!(with(&|case| case.verdict = Verdict::WrongAnswer), [""; 0]);
    assert_eq!(with(&|case| case.outcome = None), [""; 0]);
    assert_eq!(with(&|case| case.yardstick = None), [FLAT]);
    // Everything small was stopped after a second: the start-up is not known, and counts as nothing.
    let mut results = accepted(&problem, times(1.0, [0.0, 0.0, 0.0, 20.0]));
    for case in results[..2].iter_mut().flat_map(|it| &mut it.cases) {
        let outcome = case.outcome.as_mut().unwrap();
        outcome.cpu = milliseconds(1000.0);
        outcome.breach = Some(Breach::Cpu);
        case.verdict = Verdict::TimeLimit;
    }
    assert_eq!(time_flags(&problem, &results), []);
}

#[test]
fn a_problem_without_rules_raises_none() {
    let problem = count(None, None);
    assert_eq!(
        time_flags(&problem, &accepted(&problem, times(1.0, [0.0; 4]))),
        []
    );
}

#[test]
fn a_single_case_has_no_start_up_to_subtract() {
    let problem = count(BOTH.0, BOTH.1);
    let only = |time: f64| {
        let mut results = accepted(&problem, times(1.0, [time, time, time, time]));
        for result in &mut results {
            for case in &mut result.cases {
                if case.name != CaseName::new("n=16") {
                    case.outcome = None;
                }
            }
        }
        let flags = time_flags(&problem, &results);
        flags.iter().map(|f| f.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(only(11.0), [FASTER]);
    assert_eq!(only(13.0), [""; 0]);
}

#[test]
fn of_several_cases_with_one_value_the_ones_that_speak_for_the_program_count() {
    let problem = count(None, Some((13.0, 16.0)));
    let mut twice = problem.clone();
    twice.subtasks.push(Subtask {
        name: SubtaskName::new("again"),
        points: Points::ZERO,
        ..problem.subtasks[2].clone()
    });
    assert_eq!(twice.id, ProblemId::new("count"));
    let flat = |again: [f64; 4]| {
        let mut results = accepted(&problem, times(1.0, [10.0, 10.0, 10.0, 10.0]));
        let more = accepted(&problem, times(1.0, again)).pop().unwrap();
        results.push(more);
        time_flags(&twice, &results).len()
    };
    assert_eq!(flat([10.0, 10.0, 10.0, 10.0]), 1);
    assert_eq!(flat([10.0, 10.0, 10.0, 40.0]), 0);
    assert_eq!(flat([1.0, 10.0, 10.0, 10.0]), 0);
}

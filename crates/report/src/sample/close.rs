//! A student whose results are close: near limits, judged by growth, by chance and by shares; and what was measured
//! of the references.

use std::time::Duration;

use grader_model::{
    Attempts, Breach, CaseName, CaseResult, Confirmation, CpuTime, Growth, GrowthFit, GrowthPoint,
    GrowthPointKind, GrowthVerdict, LimitOrigin, Limits, Points, ProblemId, ProblemResult,
    ReferenceCase, ReferenceTime, Share, StudentId, StudentResult, SubtaskName, SubtaskResult,
    Text, Verdict, WallTime,
};

use super::cases::{SMALL, accepted, limits, nothing, problem, ran, subtask};

/// What was measured of the references: several times, once, and in a hidden subtask.
pub(super) fn reference_times() -> Vec<ReferenceTime> {
    let reference_time =
        |problem: &str, subtask: &str, case: &str, micros, largest| ReferenceTime {
            problem: ProblemId::new(problem),
            subtask: SubtaskName::new(subtask),
            case: CaseName::new(case),
            cpu: CpuTime(Duration::from_micros(micros)),
            largest: CpuTime(Duration::from_micros(largest)),
            samples: 3,
        };
    let mut once = reference_time("count", "medium", "n=16", 2_110_000, 2_110_000);
    once.samples = 1;
    let mut hidden = reference_time("count", "large", "n=17", 3_050_000, 3_294_000);
    hidden.samples = 4;
    vec![
        reference_time("count", "small", "n=8", 400, 431),
        once,
        hidden,
        reference_time("annealing", "certain", "n=1000", 48_000, 48_500),
    ]
}

fn millis(times: &[u64]) -> Vec<CpuTime> {
    times.iter().copied().map(CpuTime::from_millis).collect()
}

/// A case whose limit is three times the reference's 2.11 s.
fn timed(name: &str, verdict: Verdict, time: u64) -> CaseResult {
    let mut case = ran(name, verdict, time * 1000);
    case.limits = Some(Limits {
        cpu: CpuTime::from_millis(6330),
        wall: WallTime::from_millis(20_990),
        ..limits()
    });
    case.reference_time = Some(CpuTime::from_millis(2110));
    case.limit_origin = Some(LimitOrigin::Reference {
        factor: 3.0,
        reference: CpuTime::from_millis(2110),
        case: ReferenceCase::Own,
        language_factor: 1.0,
        start_up: CpuTime::default(),
        slack: CpuTime::default(),
    });
    case
}

/// The case, run again alone: the times, the reference's beside them, and whether that settles it.
fn alone(
    mut case: CaseResult,
    runs: &[u64],
    reference_times: &[u64],
    resolved: bool,
) -> CaseResult {
    case.near_limit = true;
    case.confirmation = Some(Confirmation {
        runs: millis(runs),
        reference_times: millis(reference_times),
        limits: reference_times
            .iter()
            .map(|time| CpuTime::from_millis(3 * time))
            .collect(),
        resolved,
    });
    case
}

fn slow(mut case: CaseResult) -> CaseResult {
    case.message = Some(Text::new("used too much CPU time", "CPU 时间用得太多"));
    if let Some(outcome) = &mut case.outcome {
        outcome.breach = Some(Breach::Cpu);
    }
    case
}

fn sixty_percent(mut case: CaseResult) -> CaseResult {
    case.share = Some(Share::from_thousandths(600));
    case.message = Some(Text::new(
        "accepted; 2.3 times the reference's time earns 60 %",
        "通过；用时为标准程序的 2.3 倍，得 60 %",
    ));
    case
}

fn count() -> ProblemResult {
    let settled = timed("n=13", Verdict::Accepted, 6100);
    let open = timed("n=14", Verdict::Accepted, 6300);
    let over = slow(timed("n=15", Verdict::TimeLimit, 6620));
    let mut medium = subtask(
        "medium",
        None,
        15,
        Verdict::PartiallyCorrect,
        vec![
            alone(settled, &[6100, 6200, 6150], &[2110, 2120, 2110], true),
            alone(open, &[6300, 6410, 6350], &[2110, 2130, 2120], false),
            alone(over, &[6620, 6700], &[2110, 2120], true),
            sixty_percent(timed("n=16", Verdict::Accepted, 4850)),
        ],
    );
    medium.points = Some(Points::from_thousandths(9750));
    let mut result = problem("count", 35, false, Verdict::PartiallyCorrect, 19_750);
    result.subtasks = vec![
        subtask("small", Some(10), 10, Verdict::Accepted, accepted(&SMALL)),
        medium,
        hidden(),
    ];
    result
}

/// A subtask with one of everything that students must not learn of a hidden one.
fn hidden() -> SubtaskResult {
    let open = timed("n=17", Verdict::Accepted, 6301);
    let mut drawn = timed("n=18", Verdict::Accepted, 1234);
    drawn.attempts = Some(Attempts {
        runs: 12,
        at_least: Some(3),
        made: 11,
        accepted: 3,
        outputs: 2,
        seconds: 1,
    });
    let mut cases = vec![
        alone(open, &[6301, 6411, 6351], &[2111, 2131, 2121], false),
        sixty_percent(drawn),
        skipped("n=19", "n=18", "1.23 s"),
    ];
    cases[0].share = Some(Share::WHOLE);
    let mut hidden = subtask("large", Some(0), 10, Verdict::WrongAnswer, cases);
    hidden.hidden = true;
    hidden.growth = Some(Growth {
        fit: fit(18.25, 15.5, 21.0),
        stopped: Some(19.375),
        ..growth(
            &[(17.0, 6301), (18.0, 1234)],
            GrowthPointKind::Measured,
            GrowthVerdict::TooFast,
        )
    });
    hidden.message = Some(Text::new(
        "its time grows too fast: about n^18.2 (95 %: 15.5 to 21); at most n^2.5 passes",
        "用时增长太快：约为 n^18.2（95 %：15.5 到 21），最多 n^2.5 才能通过",
    ));
    hidden
}

fn skipped(name: &str, before: &str, time: &str) -> CaseResult {
    let message = Text::new(
        format!("not needed: {before} took {time}"),
        format!("不必运行：{before} 用了 {time}"),
    );
    let mut case = CaseResult::unrun(CaseName::new(name), Verdict::Skipped, message);
    case.skipped = true;
    case
}

fn growth(points: &[(f64, u64)], kind: GrowthPointKind, verdict: GrowthVerdict) -> Growth {
    Growth {
        over: "n".to_owned(),
        at_most: 2.5,
        startup: CpuTime(Duration::from_micros(700)),
        points: points
            .iter()
            .map(|(size, millis)| GrowthPoint {
                size: *size,
                cpu: CpuTime::from_millis(*millis),
                kind,
            })
            .collect(),
        fit: None,
        stopped: None,
        verdict,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what a growth wants")]
fn fit(exponent: f64, low: f64, high: f64) -> Option<GrowthFit> {
    Some(GrowthFit {
        exponent,
        low,
        high,
        factor: 0.000_000_5,
    })
}

/// A subtask of cases with these sizes and times.
fn grown(name: &str, points: u32, max: u32, times: &[(u32, u64)]) -> SubtaskResult {
    let verdict = if points == max {
        Verdict::Accepted
    } else {
        Verdict::WrongAnswer
    };
    let cases = times
        .iter()
        .map(|(size, millis)| ran(&format!("n={size}"), Verdict::Accepted, millis * 1000));
    subtask(name, Some(points), max, verdict, cases.collect())
}

fn polynomial() -> ProblemResult {
    let within = [(100, 5), (200, 20), (400, 81), (800, 323)];
    let fast = [(100, 8), (200, 64), (400, 512), (800, 4096)];
    let little = [(10, 1), (20, 1), (40, 1), (80, 2)];
    let sizes = |times: &[(u32, u64)]| -> Vec<(f64, u64)> {
        let sized = times.iter().map(|(n, time)| (f64::from(*n), *time));
        sized.collect()
    };
    let mut dense = grown("dense", 8, 8, &within);
    dense.growth = Some(Growth {
        fit: fit(2.005, 1.975, 2.035),
        ..growth(
            &sizes(&within),
            GrowthPointKind::Measured,
            GrowthVerdict::Within,
        )
    });
    let mut sparse = grown("sparse", 0, 6, &fast);
    sparse.cases.extend([
        skipped("n=1600", "n=800", "4.1 s"),
        skipped("n=3200", "n=800", "4.1 s"),
    ]);
    sparse.message = Some(Text::new(
        "its time grows too fast: about n^3 (95 %: 2.95 to 3.05); at most n^2.5 passes",
        "用时增长太快：约为 n^3（95 %：2.95 到 3.05），最多 n^2.5 才能通过",
    ));
    sparse.growth = Some(Growth {
        fit: fit(3.0, 2.95, 3.05),
        ..growth(
            &sizes(&fast),
            GrowthPointKind::Measured,
            GrowthVerdict::TooFast,
        )
    });
    let mut tiny = grown("tiny", 6, 6, &little);
    tiny.growth = Some(growth(
        &sizes(&little),
        GrowthPointKind::TooFast,
        GrowthVerdict::Unresolved,
    ));
    let mut result = problem("polynomial", 20, false, Verdict::PartiallyCorrect, 14_000);
    result.subtasks = vec![dense, sparse, tiny];
    result
}

fn drawn(name: &str, verdict: Verdict, attempts: Attempts) -> CaseResult {
    let mut case = ran(name, verdict, 31_000);
    case.reference_time = Some(CpuTime::from_millis(48));
    case.attempts = Some(attempts);
    case
}

fn annealing() -> ProblemResult {
    let certain = |made, accepted| Attempts {
        runs: 12,
        at_least: Some(3),
        made,
        accepted,
        outputs: made,
        seconds: 1,
    };
    let mut lost = drawn("n=2000", Verdict::WrongAnswer, certain(12, 1));
    lost.message = Some(Text::new(
        "the queens of rows 2 and 3 attack each other",
        "第 2 行和第 3 行的皇后互相攻击",
    ));
    let mut often = drawn(
        "n=5000",
        Verdict::PartiallyCorrect,
        Attempts {
            runs: 20,
            at_least: None,
            made: 20,
            accepted: 13,
            outputs: 20,
            seconds: 2,
        },
    );
    often.share = Some(Share::from_thousandths(650));
    often.message = Some(Text::new(
        "the queens of rows 5 and 9 attack each other",
        "第 5 行和第 9 行的皇后互相攻击",
    ));
    let mut certain = subtask(
        "certain",
        None,
        15,
        Verdict::PartiallyCorrect,
        vec![drawn("n=1000", Verdict::Accepted, certain(5, 3)), lost],
    );
    certain.points = Some(Points::from_thousandths(7500));
    let mut rate = subtask("rate", None, 15, Verdict::PartiallyCorrect, vec![often]);
    rate.points = Some(Points::from_thousandths(9750));
    let mut result = problem("annealing", 30, false, Verdict::PartiallyCorrect, 17_250);
    result.subtasks = vec![certain, rate];
    result
}

pub(super) fn close() -> StudentResult {
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("s11"),
        nothing_submitted: false,
        problems: vec![
            count(),
            nothing("board", 15, false),
            polynomial(),
            annealing(),
            nothing("first-three", 10, true),
        ],
        unused: Vec::new(),
    }
}

//! One rich, fixed class, for the tests of every report.

mod cases;
mod close;
mod hostile;
mod known;
mod people;
mod stream;
mod students;
mod verified;

use grader_model::{
    AssignmentId, AssignmentInfo, CaseResult, Host, Isolation, IsolationLevel, LanguageId, Points,
    ProblemId, ProblemInfo, ProblemResult, Results, ResultsFormat, RunInfo, Status, Text,
    ToolchainInfo, Verdict,
};

use close::{close, reference_times};
use known::known;
use students::{absent, broken, mixed, not_graded, perfect};

pub(crate) use hostile::with_hostile;
pub(crate) use people::class;
pub(crate) use stream::{calibrated, event, events, job, run_started};
pub(crate) use verified::verification;

pub(crate) fn results() -> Results {
    Results {
        format: ResultsFormat::V2,
        run: Some(RunInfo {
            id: 3,
            began: "2026-11-22T05:00:00Z".to_owned(),
        }),
        assignment: assignment(),
        host: host(),
        isolation: Isolation {
            level: IsolationLevel::Strict,
            layers: [
                "user-namespace",
                "pid-namespace",
                "network-namespace",
                "seccomp",
                "landlock",
            ]
            .map(str::to_owned)
            .into(),
            missing: Vec::new(),
        },
        students: known(vec![
            perfect(),
            mixed(),
            broken(),
            not_graded(),
            close(),
            absent(),
        ]),
        unused: Vec::new(),
        reference_times: reference_times(),
        interrupted: false,
    }
}

/// The problem as a run leaves it that was interrupted before it.
pub(crate) fn not_judged(of: &ProblemResult) -> ProblemResult {
    let message = Text::new("not judged: interrupted", "没有评测：评测被中断");
    let mut result = of.clone();
    result.points = None;
    result.status = Status::NotJudged;
    result.verdict = Verdict::Skipped;
    result.message = Some(message.clone());
    result.build = None;
    result.origin = None;
    result.hints.clear();
    result.flags.clear();
    for subtask in &mut result.subtasks {
        subtask.points = None;
        subtask.verdict = Verdict::Skipped;
        for case in &mut subtask.cases {
            *case = CaseResult::unrun(case.name.clone(), Verdict::Skipped, message.clone());
        }
    }
    result
}

fn assignment() -> AssignmentInfo {
    let version = "5e".repeat(32);
    let info = |id: &str, en: &str, zh: &str, points, bonus| ProblemInfo {
        id: ProblemId::new(id),
        title: Text::new(en, zh),
        points: Points::whole(points),
        bonus,
        version: version.clone(),
    };
    AssignmentInfo {
        id: AssignmentId::new("n-queens"),
        title: Text::new("Bit craft and simulated annealing", "比特匠心与模拟退火"),
        points: Points::whole(100),
        bonus: Points::whole(10),
        problems: vec![
            info("count", "Count all solutions", "解的个数", 35, false),
            info("board", "Print one solution", "打印一个解", 15, false),
            info("polynomial", "Local search", "局部搜索", 20, false),
            info("annealing", "Simulated annealing", "模拟退火", 30, false),
            info("first-three", "The first three", "前三个解", 10, true),
        ],
    }
}

fn host() -> Host {
    let info = |version: Option<&str>, flags: &[&str]| ToolchainInfo {
        version: version.map(str::to_owned),
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
    };
    Host {
        cpu: "Example CPU 3000".to_owned(),
        cores: 2,
        kernel: "Linux 6.1.0".to_owned(),
        toolchains: [
            (
                LanguageId::C,
                info(Some("gcc 12.2.0"), &["-O2", "-std=gnu17"]),
            ),
            (LanguageId::Java, info(None, &[])),
            (LanguageId::Python, info(Some("CPython 3.11.2"), &[])),
        ]
        .into(),
    }
}

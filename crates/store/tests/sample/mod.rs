//! A class whose results say everything that results can say, and the jobs and events by which it came about.
#![allow(dead_code, reason = "each test takes what it needs")]
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use std::path::{Path, PathBuf};

use grader_judge::{JobKey, JobName, JobResult, ResultCache as _};
use grader_model::{
    AssignmentId, AssignmentInfo, BuildReport, Bytes, CaseName, CaseResult, Change, CpuTime, End,
    Event, EventKind, Excerpt, FaultCause, Flag, FlagEvidence, Host, Isolation, IsolationLevel,
    LanguageId, Limits, Origin, Outcome, Person, Points, ProblemId, ProblemInfo, ProblemResult,
    ReferenceTime, Results, RunInfo, SourcePlace, Status, StudentId, StudentResult, SubtaskName,
    SubtaskResult, System, Text, ToolchainInfo, UnusedFile, Verdict, WallTime,
};
use grader_store::{BeginRun, Ledger, Run};

pub(crate) const ASSIGNMENT: &str = "n-queens";

/// A folder of its own with a ledger in it, not yet made.
pub(crate) fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join(".grader/ledger.db");
    (folder, ledger)
}

pub(crate) fn wanted() -> BeginRun {
    BeginRun {
        class: PathBuf::from("/classes/a"),
        assignment: AssignmentId::new(ASSIGNMENT),
        grader: "0.1.0".to_owned(),
        fresh: false,
    }
}

pub(crate) fn begin(ledger: &Path) -> Run {
    begin_as(ledger, &wanted())
}

pub(crate) fn begin_as(ledger: &Path, wanted: &BeginRun) -> Run {
    Ledger::open(ledger, &wanted.class)
        .unwrap()
        .begin(wanted)
        .unwrap()
}

/// What happened, at no particular time.
pub(crate) fn event(kind: EventKind) -> Event {
    Event { at_ms: 0, kind }
}

pub(crate) fn started(run: Option<&RunInfo>, results: &Results) -> Event {
    event(EventKind::RunStarted {
        run: run.cloned(),
        assignment: results.assignment.clone(),
        host: Box::new(results.host.clone()),
        isolation: results.isolation.clone(),
        students: results.students.iter().map(|it| it.id.clone()).collect(),
        jobs: 0,
        cases: 0,
        unused: results.unused.clone(),
    })
}

pub(crate) fn student_finished(result: &StudentResult) -> Event {
    event(EventKind::StudentFinished {
        result: Box::new(result.clone()),
    })
}

pub(crate) fn finished(interrupted: bool) -> Event {
    event(EventKind::RunFinished { interrupted })
}

pub(crate) fn text(word: &str) -> Text {
    Text::new(format!("{word} \"en\""), format!("{word}，中文"))
}

pub(crate) fn key(source: &str) -> JobKey {
    let part = |part, hash: &str| (part, hash.repeat(8));
    JobKey(
        [
            part(Change::Sources, source),
            part(Change::Judging, "01234567"),
            part(Change::Grader, "89abcdef"),
        ]
        .into(),
    )
}

pub(crate) fn done(source: &str, result: &ProblemResult) -> JobResult {
    JobResult {
        key: key(source),
        result: result.clone(),
    }
}

pub(crate) fn keep(run: &Run, student: &StudentId, done: &JobResult) {
    let job = JobName {
        student,
        problem: &done.result.id,
    };
    run.store(job, done).unwrap();
}

fn outcome() -> Outcome {
    Outcome {
        end: End::Exited(0),
        breach: None,
        cpu: CpuTime(std::time::Duration::from_nanos(123_456_789)),
        wall: WallTime::from_millis(130),
        memory: Some(Bytes(1 << 20)),
        stdout: Bytes(12),
        stderr: Bytes(0),
    }
}

fn limits() -> Limits {
    Limits {
        cpu: CpuTime::from_millis(1000),
        wall: WallTime::from_millis(5000),
        memory: Bytes(256 << 20),
        output: Bytes(1 << 20),
        processes: 16,
    }
}

pub(crate) fn problem(id: &str, verdict: Verdict) -> ProblemResult {
    let points = match verdict {
        Verdict::Accepted => Some(Points::whole(10)),
        Verdict::PartiallyCorrect => Some(Points::from_thousandths(3335)),
        Verdict::JudgeError => None,
        _ => Some(Points::ZERO),
    };
    let cases = ["n=0", "n=1", "n=2"].map(|name| CaseResult {
        name: CaseName::new(name),
        verdict,
        message: Some(text("a message")),
        evidence: Vec::new(),
        hints: vec![text("a hint")],
        outcome: Some(outcome()),
        limits: Some(limits()),
        reference_time: Some(CpuTime::from_millis(7)),
        limit_origin: None,
        stderr: Some(Excerpt::new(b"\x1b[31mred\0")),
        near_limit: true,
        confirmation: None,
        attempts: None,
        share: None,
        skipped: false,
    });
    ProblemResult {
        id: ProblemId::new(id),
        points,
        max_points: Points::whole(10),
        bonus: false,
        verdict,
        message: None,
        status: if verdict == Verdict::JudgeError {
            Status::Fault(FaultCause::Grader)
        } else {
            Status::Judged
        },
        hints: vec![text("advice")],
        language: Some(LanguageId::C),
        files: vec![format!("src/{id}.c")],
        build: Some(BuildReport {
            toolchain: "gcc 12 -O2".to_owned(),
            messages: Some(Excerpt::block(b"warning\n", 100)),
            cpu: CpuTime::from_millis(80),
        }),
        flags: vec![Flag {
            code: "answers-in-source".to_owned(),
            message: text("a table"),
            evidence: vec![FlagEvidence {
                message: text("here"),
                place: Some(SourcePlace {
                    file: format!("src/{id}.c"),
                    line: 3,
                    column: 12,
                }),
                excerpt: None,
            }],
        }],
        origin: Some(Origin::Ran { because: vec![] }),
        subtasks: vec![SubtaskResult {
            name: SubtaskName::new("small"),
            points,
            max_points: Points::whole(10),
            verdict,
            hidden: true,
            message: Some(text("a subtask")),
            growth: None,
            cases: cases.into(),
        }],
    }
}

/// A problem for which there was nothing to judge.
pub(crate) fn nothing(id: &str) -> ProblemResult {
    let mut result = problem(id, Verdict::Skipped);
    result.origin = None;
    result.build = None;
    result.message = Some(text("nothing submitted"));
    result
}

pub(crate) const PROBLEMS: [&str; 3] = ["count", "board", "hanoi"];

/// Names that break what is put together as text.
pub(crate) fn hostile_names() -> Vec<String> {
    vec![
        "s01".to_owned(),
        "'; DROP TABLE job; --".to_owned(),
        "\"quoted\" `name` %s \\0 ?1".to_owned(),
        "nul \0 inside".to_owned(),
        "李雷 👩🏽‍🎓 e\u{301}".to_owned(),
        "x".repeat(10_000),
        String::new(),
    ]
}

fn students() -> Vec<StudentResult> {
    let verdicts = [
        Verdict::Accepted,
        Verdict::PartiallyCorrect,
        Verdict::JudgeError,
    ];
    let names = hostile_names().into_iter().enumerate();
    names
        .map(|(at, name)| {
            let mut problems: Vec<ProblemResult> = PROBLEMS
                .into_iter()
                .zip(verdicts)
                .map(|(id, verdict)| problem(id, verdict))
                .collect();
            problems[0].origin = Some(Origin::Ran {
                because: vec![Change::Sources, Change::Host],
            });
            if at % 2 == 1 {
                problems[1] = nothing(PROBLEMS[1]);
            }
            StudentResult {
                person: Some(Person {
                    name: Some(format!("Name of {name}")),
                    email: None,
                    ids: [(System::Moodle, "77".to_owned())].into(),
                }),
                id: StudentId::new(name),
                notes: vec![text("late by 3 h")],
                remarks: vec![text("perhaps s2")],
                nothing_submitted: false,
                problems,
                unused: vec![UnusedFile {
                    path: "old/main.c".to_owned(),
                    reason: text("an older attempt"),
                    notable: at == 0,
                }],
            }
        })
        .collect()
}

fn reference_time(problem: &str, case: &str) -> ReferenceTime {
    ReferenceTime {
        problem: ProblemId::new(problem),
        subtask: SubtaskName::new("small"),
        case: CaseName::new(case),
        cpu: CpuTime::from_millis(7),
        largest: CpuTime::from_millis(9),
        samples: 3,
    }
}

/// The results of a class that was graded without being disturbed.
pub(crate) fn results() -> Results {
    let problems = PROBLEMS.map(|id| ProblemInfo {
        id: ProblemId::new(id),
        title: text(id),
        points: Points::whole(10),
        bonus: false,
        version: "5e".repeat(32),
    });
    Results {
        format: grader_model::ResultsFormat::V2,
        run: None,
        assignment: AssignmentInfo {
            id: AssignmentId::new(ASSIGNMENT),
            title: text("queens"),
            points: Points::whole(30),
            bonus: Points::ZERO,
            problems: problems.into(),
        },
        host: Host {
            cpu: "Example CPU".to_owned(),
            cores: 2,
            kernel: "Linux 6".to_owned(),
            toolchains: [(
                LanguageId::C,
                ToolchainInfo {
                    version: Some("gcc 12".to_owned()),
                    flags: vec!["-O2".to_owned()],
                },
            )]
            .into(),
        },
        isolation: Isolation {
            level: IsolationLevel::Strict,
            layers: vec!["seccomp".to_owned()],
            missing: vec!["landlock".to_owned()],
        },
        students: students(),
        unused: vec![UnusedFile {
            path: "list.xlsx".to_owned(),
            reason: text("beside the folders"),
            notable: false,
        }],
        reference_times: vec![
            reference_time("count", "n=0"),
            reference_time("count", "n=2"),
            reference_time("board", "n=1"),
        ],
        interrupted: false,
    }
}

/// The jobs of which the results came about: whose, and what.
pub(crate) fn jobs(results: &Results) -> Vec<(StudentId, ProblemResult)> {
    let students = results.students.iter();
    students
        .flat_map(|student| {
            let problems = student.problems.iter();
            let judged = problems.filter(|problem| problem.origin.is_some());
            judged.map(|problem| (student.id.clone(), problem.clone()))
        })
        .collect()
}

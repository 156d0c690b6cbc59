//! A class with every kind of result, and the jobs and events that it comes from.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_judge::{JobKey, JobName, JobResult, ResultCache as _};
use grader_model::{
    AssignmentId, AssignmentInfo, BuildReport, CaseName, CaseResult, Change, CpuTime, EventKind,
    Excerpt, FaultCause, Host, Isolation, IsolationLevel, LanguageId, Origin, Person, Points,
    ProblemId, ProblemInfo, ProblemResult, ReferenceTime, Results, ResultsFormat, SimilarGroup,
    Similarity, SourceFile, Status, StudentId, StudentResult, SubtaskName, SubtaskResult, System,
    Text, UnusedFile, Verdict,
};
use grader_store::{BeginRun, Run};

pub(crate) const PROBLEMS: [&str; 3] = ["count", "board", "hanoi"];

pub(crate) fn wanted() -> BeginRun {
    BeginRun {
        shard: None,
        whole: None,
        class: "/classes/a".into(),
        assignment: assignment(),
        grader: "0.1.0".to_owned(),
        statements: BTreeMap::from([(
            ProblemId::new("count"),
            vec![SourceFile::new("statement.md", *b"<p>Count.</p>")],
        )]),
        fresh: false,
        one_student: false,
    }
}

pub(crate) fn key(source: &str) -> JobKey {
    let parts = [(Change::Sources, source), (Change::Grader, "89abcdef")];
    JobKey(parts.map(|(part, hash)| (part, hash.to_owned())).into())
}

pub(crate) fn done(source: &str, result: &ProblemResult) -> JobResult {
    JobResult {
        key: key(source),
        result: result.clone(),
        sources: vec![SourceFile::new(
            format!("{}.c", result.id),
            source.as_bytes(),
        )],
    }
}

pub(crate) const fn job<'a>(student: &'a StudentId, problem: &'a ProblemId) -> JobName<'a> {
    JobName { student, problem }
}

/// Stores the job of each result that has an origin.
pub(crate) fn store_jobs(run: &Run, results: &Results) {
    for student in &results.students {
        for result in student.problems.iter().filter(|it| it.origin.is_some()) {
            run.store(job(&student.id, &result.id), &done("aaaaaaaa", result))
                .unwrap();
        }
    }
}

pub(crate) fn started(results: &Results) -> EventKind {
    EventKind::RunStarted {
        run: results.run.clone(),
        assignment: Box::new(results.assignment.clone()),
        host: Box::new(results.host.clone()),
        isolation: Box::new(results.isolation.clone()),
        students: results.students.iter().map(|it| it.id.clone()).collect(),
        jobs: 0,
        cases: 0,
        unused: results.unused.clone(),
        similar: results.similar.clone(),
        included: BTreeMap::from([(
            ProblemId::new("count"),
            vec![SourceFile::new("main.c", *b"int main;")],
        )]),
    }
}

pub(crate) fn student_finished(result: &StudentResult) -> EventKind {
    EventKind::StudentFinished {
        result: Box::new(result.clone()),
    }
}

fn text(word: &str) -> Text {
    Text::new(format!("{word} \"en\""), format!("{word}，中文"))
}

pub(crate) fn problem(id: &str, verdict: Verdict) -> ProblemResult {
    let points = match verdict {
        Verdict::Accepted => Some(Points::whole(10)),
        Verdict::JudgeError => None,
        _ => Some(Points::from_thousandths(3335)),
    };
    let cases = ["n=0", "n=1"].map(|name| CaseResult {
        stderr: Some(Excerpt::new(b"\x1b[31mred\0").into()),
        reference_time: Some(CpuTime(Duration::from_nanos(123_456_789))),
        ..CaseResult::unrun(CaseName::new(name), verdict, text("a message"))
    });
    let status = match verdict {
        Verdict::JudgeError => Status::Fault(FaultCause::Grader),
        _ => Status::Judged,
    };
    let subtask = SubtaskResult {
        name: SubtaskName::new("small"),
        points,
        max_points: Points::whole(10),
        verdict,
        hidden: true,
        hidden_until: None,
        message: None,
        growth: None,
        manual: None,
        check: None,
        cases: cases.into(),
    };
    ProblemResult {
        hints: vec![text("advice")],
        language: Some(LanguageId::C),
        files: vec![format!("src/{id}.c")],
        build: Some(BuildReport {
            toolchain: "gcc 12 -O2".to_owned(),
            for_student: None,
            messages: Some(Excerpt::block(b"warning\n", 100)),
            cpu: CpuTime::from_millis(80),
        }),
        origin: Some(Origin::Ran {
            because: vec![Change::Sources, Change::Host],
        }),
        id: ProblemId::new(id),
        points,
        max_points: Points::whole(10),
        verdict,
        status,
        message: Some(text("a problem")),
        submitted: (verdict == Verdict::Accepted).then(|| "2026-11-20T18:00:00Z".parse().unwrap()),
        subtasks: vec![subtask],
        ..ProblemResult::default()
    }
}

/// The result of a problem for which there was nothing to judge.
pub(crate) fn without_job(id: &str, status: Status) -> ProblemResult {
    let points = (status == Status::NotSubmitted).then_some(Points::ZERO);
    ProblemResult {
        status,
        points,
        verdict: Verdict::Skipped,
        origin: None,
        build: None,
        ..problem(id, Verdict::Skipped)
    }
}

/// Names that break what is put together as text.
const NAMES: [&str; 6] = [
    "s01",
    "'; DROP TABLE result; --",
    "\"quoted\" `name` %s \\0 ?1",
    "nul \0 inside",
    "李雷 👩🏽‍🎓 e\u{301}",
    "",
];

fn students() -> impl Iterator<Item = StudentResult> {
    NAMES.into_iter().enumerate().map(|(at, name)| {
        let second = if at % 2 == 0 {
            problem(PROBLEMS[1], Verdict::PartiallyCorrect)
        } else {
            without_job(PROBLEMS[1], Status::NotSubmitted)
        };
        StudentResult {
            id: StudentId::new(name),
            person: Some(Person {
                name: Some(format!("Name of {name}")),
                email: None,
                ids: [(System::Moodle, "77".to_owned())].into(),
            }),
            notes: vec![text("late by 3 h")],
            remarks: vec![text("perhaps s2")],
            nothing_submitted: false,
            problems: vec![
                problem(PROBLEMS[0], Verdict::Accepted),
                second,
                problem(PROBLEMS[2], Verdict::JudgeError),
            ],
            unused: vec![unused("old/main.c")],
            ..StudentResult::default()
        }
    })
}

fn unused(path: &str) -> UnusedFile {
    UnusedFile {
        path: path.to_owned(),
        reason: text("an older attempt"),
        notable: true,
    }
}

fn reference_time(problem: &str, case: &str) -> ReferenceTime {
    ReferenceTime {
        shard: None,
        problem: ProblemId::new(problem),
        subtask: SubtaskName::new("small"),
        case: CaseName::new(case),
        cpu: CpuTime::from_millis(7),
        largest: CpuTime::from_millis(9),
        samples: 3,
    }
}

fn assignment() -> AssignmentInfo {
    let problems = PROBLEMS.map(|id| ProblemInfo {
        id: ProblemId::new(id),
        title: text(id),
        points: Points::whole(10),
        bonus: false,
        version: "5e".repeat(32),
        manual: Vec::new(),
    });
    AssignmentInfo {
        deadline: None,
        id: AssignmentId::new("n-queens"),
        title: text("queens"),
        points: Points::whole(30),
        bonus: Points::ZERO,
        problems: problems.into(),
    }
}

/// The results of a class that was graded in this run.
pub(crate) fn results(run: &Run) -> Results {
    Results {
        shards: Vec::new(),
        format: ResultsFormat::V3,
        run: Some(run.info().clone()),
        class: None,
        assignment: assignment(),
        host: Host {
            cpu: "Example CPU".to_owned(),
            cores: 2,
            ..Host::default()
        },
        isolation: Isolation {
            level: IsolationLevel::Strict,
            layers: vec!["seccomp".to_owned()],
            missing: vec!["landlock".to_owned()],
        },
        students: students().collect(),
        unused: vec![unused("list.xlsx")],
        similar: vec![SimilarGroup {
            problem: ProblemId::new("count"),
            kind: Similarity::Tokens,
            tokens: 100,
            students: vec![StudentId::new("ann"), StudentId::new("bob")],
            given: vec!["submissions/accepted/a.c".to_owned()],
        }],
        reference_times: vec![
            reference_time("count", "n=0"),
            reference_time("count", "n=1"),
            reference_time("board", "n=1"),
        ],
        interrupted: false,
    }
}

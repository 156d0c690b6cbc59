//! Cases, subtasks and problems, of which the students are made.

use std::time::Duration;

use grader_model::{
    BuildReport, Bytes, CaseName, CaseResult, CpuTime, End, FaultCause, LanguageId, Limits,
    Outcome, Points, ProblemId, ProblemResult, Status, SubtaskName, SubtaskResult, Text, Verdict,
    WallTime,
};

pub(super) fn limits() -> Limits {
    Limits {
        cpu: CpuTime::from_millis(1000),
        wall: WallTime::from_millis(5000),
        memory: Bytes(256 << 20),
        output: Bytes(64 << 10),
        processes: 1,
    }
}

/// A case that ran for so many microseconds and exited with status 0.
pub(super) fn ran(name: &str, verdict: Verdict, micros: u64) -> CaseResult {
    CaseResult {
        name: CaseName::new(name),
        verdict,
        message: None,
        evidence: Vec::new(),
        hints: Vec::new(),
        outcome: Some(Outcome {
            end: End::Exited(0),
            breach: None,
            cpu: CpuTime(Duration::from_micros(micros)),
            wall: WallTime(Duration::from_micros(micros + 1000)),
            memory: Some(Bytes(1229 << 10)),
            stdout: Bytes(4),
            stderr: Bytes(0),
        }),
        limits: Some(limits()),
        reference_time: Some(CpuTime(Duration::from_micros(400))),
        limit_origin: None,
        stderr: None,
        near_limit: false,
        confirmation: None,
        attempts: None,
        share: None,
        skipped: false,
    }
}

pub(super) fn accepted(cases: &[(&str, u64)]) -> Vec<CaseResult> {
    cases
        .iter()
        .map(|(name, micros)| ran(name, Verdict::Accepted, *micros))
        .collect()
}

pub(super) fn subtask(
    name: &str,
    points: Option<u32>,
    max: u32,
    verdict: Verdict,
    cases: Vec<CaseResult>,
) -> SubtaskResult {
    SubtaskResult {
        name: SubtaskName::new(name),
        points: points.map(Points::whole),
        max_points: Points::whole(max),
        verdict,
        hidden: false,
        message: None,
        growth: None,
        cases,
    }
}

pub(super) fn problem(
    id: &str,
    max: u32,
    bonus: bool,
    verdict: Verdict,
    points: u64,
) -> ProblemResult {
    ProblemResult {
        origin: None,
        id: ProblemId::new(id),
        points: Some(Points::from_thousandths(points)),
        max_points: Points::whole(max),
        bonus,
        verdict,
        message: None,
        status: if verdict == Verdict::JudgeError {
            Status::Fault(FaultCause::Grader)
        } else {
            Status::Judged
        },
        hints: Vec::new(),
        language: Some(LanguageId::C),
        files: vec![format!("{id}.c")],
        build: Some(BuildReport {
            toolchain: "gcc 12.2.0 -O2 -std=gnu17".to_owned(),
            messages: None,
            cpu: CpuTime::from_millis(84),
        }),
        flags: Vec::new(),
        subtasks: Vec::new(),
    }
}

pub(super) fn nothing(id: &str, max: u32, bonus: bool) -> ProblemResult {
    let mut result = problem(id, max, bonus, Verdict::Skipped, 0);
    result.status = Status::NotSubmitted;
    result.message = Some(Text::new("nothing was submitted", "没有提交"));
    result.language = None;
    result.files.clear();
    result.build = None;
    result
}

/// The cases of the smallest subtask of `count`, with their times.
pub(super) const SMALL: [(&str, u64); 5] = [
    ("n=4", 700),
    ("n=5", 712),
    ("n=6", 731),
    ("n=7", 745),
    ("n=8", 1112),
];

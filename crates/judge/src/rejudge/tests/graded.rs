//! Problems, and submissions as the judge leaves them.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{
    AssignmentId, Bytes, CaseName, CaseResult, CpuTime, End, Host, Isolation, IsolationLevel,
    LanguageId, Outcome, Points, ProblemId, ProblemResult, Results, StudentId, StudentResult,
    SubtaskName, SubtaskResult, Text, Verdict, WallTime,
};
use grader_problem::{
    Assignment, Entry, ExitPolicy, LimitRule, Problem, RunRule, ScoreRule, SourceRule,
    SubmissionRule, Subtask, TimeFlags, TimeRule,
};

use crate::score::{problem_points, subtask_result};

pub(super) const FACTOR: f64 = 4.0;

pub(super) fn ms(millis: u64) -> CpuTime {
    CpuTime::from_millis(millis)
}

pub(super) fn subtask(name: &str, score: ScoreRule, require: &[&str]) -> Subtask {
    Subtask {
        name: SubtaskName::new(name),
        points: Points::whole(10),
        score,
        require: require.iter().map(|name| SubtaskName::new(*name)).collect(),
        hidden: false,
        growth: None,
        attempts: None,
        by_time: Vec::new(),
        cases: Vec::new(),
    }
}

pub(super) fn problem(id: &str, time: TimeRule, subtasks: Vec<Subtask>) -> Problem {
    Problem {
        id: ProblemId::new(id),
        title: Text::plain(id),
        submission: SubmissionRule {
            files: Vec::new(),
            languages: vec![LanguageId::C, LanguageId::Python],
            size: Bytes(1 << 20),
        },
        source: SourceRule::default(),
        time_flags: TimeFlags::default(),
        run: RunRule {
            input_file: None,
            output_file: None,
            exit_status: ExitPolicy::Zero,
        },
        limits: LimitRule {
            time,
            wall: None,
            memory: Bytes(1 << 26),
            output: Bytes(1 << 16),
            processes: 1,
            compile_time: ms(10_000),
            confirm: 3,
            languages: BTreeMap::new(),
        },
        reference: None,
        subtasks,
        folder: id.to_owned(),
        version: format!("version of {id}"),
    }
}

pub(super) fn multiple(factor: f64) -> TimeRule {
    TimeRule::Reference {
        factor,
        at_least: ms(100),
        at_most: ms(10_000),
    }
}

pub(super) fn assignment(problems: Vec<Problem>) -> Assignment {
    Assignment {
        id: AssignmentId::new("camp"),
        title: Text::plain("camp"),
        problems: problems
            .into_iter()
            .map(|problem| Entry {
                points: problem.points(),
                bonus: false,
                problem: Arc::new(problem),
            })
            .collect(),
    }
}

/// A case that ran for so many milliseconds beside a reference that took so many.
pub(super) fn case(verdict: Verdict, cpu: u64, yardstick: u64) -> CaseResult {
    let mut case = CaseResult::unrun(CaseName::new("n"), verdict, Text::plain("found"));
    case.yardstick = Some(ms(yardstick));
    case.outcome = Some(Outcome {
        end: End::Exited(0),
        breach: None,
        cpu: ms(cpu),
        wall: WallTime::from_millis(cpu),
        memory: None,
        stdout: Bytes(3),
        stderr: Bytes(0),
    });
    case
}

pub(super) fn accepted(cpu: u64, yardstick: u64) -> CaseResult {
    let mut case = case(Verdict::Accepted, cpu, yardstick);
    case.message = None;
    case
}

/// A submission as the judge leaves it: limits resolved, points folded.
pub(super) fn judged(
    problem: &Problem,
    language: LanguageId,
    subtasks: &[Vec<CaseResult>],
) -> ProblemResult {
    let subtasks: Vec<SubtaskResult> = problem
        .subtasks
        .iter()
        .zip(subtasks)
        .map(|(subtask, cases)| {
            let mut cases = cases.clone();
            for (index, case) in cases.iter_mut().enumerate() {
                case.name = CaseName::new(format!("{}{}", subtask.name, index + 1));
                let Some(outcome) = &case.outcome else {
                    continue;
                };
                let alone = case.confirmation.as_ref();
                let used = outcome.cpu;
                let beside = alone.and_then(|alone| alone.yardsticks.iter().min());
                case.yardstick = beside.copied().or(case.yardstick);
                let limits = problem.limits.resolve(language, case.yardstick);
                case.limits = Some(limits);
                if used > limits.cpu {
                    case.verdict = Verdict::TimeLimit;
                    case.share = None;
                }
            }
            subtask_result(subtask, cases, &[])
        })
        .collect();
    let (points, verdict) = problem_points(&subtasks);
    ProblemResult {
        origin: None,
        id: problem.id.clone(),
        points,
        max_points: problem.points(),
        bonus: false,
        verdict,
        message: None,
        fault: None,
        hints: Vec::new(),
        language: Some(language),
        files: Vec::new(),
        build: None,
        flags: Vec::new(),
        subtasks,
    }
}

pub(super) fn results(assignment: &Assignment, submissions: Vec<ProblemResult>) -> Results {
    Results {
        run: None,
        assignment: assignment.info(),
        host: Host::default(),
        isolation: Isolation {
            level: IsolationLevel::Basic,
            layers: Vec::new(),
            missing: Vec::new(),
        },
        students: submissions
            .into_iter()
            .enumerate()
            .map(|(index, problem)| StudentResult {
                person: None,
                notes: Vec::new(),
                remarks: Vec::new(),
                id: StudentId::new(format!("s{index}")),
                nothing_handed_in: false,
                problems: vec![problem],
                unused: Vec::new(),
            })
            .collect(),
        unused: Vec::new(),
        yardsticks: Vec::new(),
        interrupted: false,
    }
}

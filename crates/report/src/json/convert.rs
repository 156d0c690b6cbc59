//! From results to the document.

use grader_model::{
    AssignmentInfo, BuildReport, CaseResult, End, Evidence, Excerpt, FaultCause, Figure, Flag,
    FlagEvidence, Host, Isolation, IsolationLevel, Lang, Origin, Person, ProblemResult, Results,
    RunInfo, StudentResult, SubtaskResult, System, Text, ToolchainInfo, UnusedFile,
};

use super::document::{
    AssignmentDocument, AssignmentProblem, BuildDocument, CaseDocument, Document, EvidenceDocument,
    FaultWord, FlagDocument, FlagEvidenceDocument, FormatTag, HostDocument, IsolationDocument,
    LedgerRunDocument, Level, OriginDocument, OriginWord, PersonDocument, ProblemDocument,
    StudentDocument, SubtaskDocument, UnusedDocument,
};
use super::fairness::{attempts, confirmation, growth, limit_origin, share, yardstick};
use super::number::Millis;
use crate::Audience;

/// The document of a class, as the audience may see it.
pub fn document(results: &Results, audience: Audience) -> Document {
    let results = audience.view(results);
    Document {
        format: FormatTag::ResultsV1,
        run: results.run.as_ref().map(run),
        assignment: assignment(&results.assignment),
        host: host(&results.host),
        isolation: isolation(&results.isolation),
        students: results.students.iter().map(student).collect(),
        unused: results.unused.iter().map(unused).collect(),
        yardsticks: results.yardsticks.iter().map(yardstick).collect(),
        interrupted: results.interrupted,
    }
}

/// The document of one problem's result, as it is: reduce it first where a student will read it.
pub fn problem_document(problem: &ProblemResult) -> ProblemDocument {
    ProblemDocument {
        id: problem.id.to_string(),
        points: problem.points,
        max_points: problem.max_points,
        bonus: problem.bonus,
        verdict: problem.verdict,
        language: problem.language,
        files: problem.files.clone(),
        message: problem.message.as_ref().map(english),
        fault: problem.fault_cause().map(|cause| match cause {
            FaultCause::Ours => FaultWord::Ours,
            FaultCause::HandedIn => FaultWord::HandedIn,
        }),
        hints: problem.hints.iter().map(english).collect(),
        flags: problem.flags.iter().map(flag).collect(),
        build: problem.build.as_ref().map(build),
        origin: problem.origin.as_ref().map(origin),
        subtasks: problem.subtasks.iter().map(subtask).collect(),
    }
}

pub(crate) fn run(run: &RunInfo) -> LedgerRunDocument {
    LedgerRunDocument {
        id: run.id,
        began: run.began.clone(),
    }
}

fn origin(origin: &Origin) -> OriginDocument {
    let (kind, run, because) = match origin {
        Origin::Ran { because } => (OriginWord::Ran, None, because.clone()),
        Origin::Reused { run } => (OriginWord::Reused, Some(*run), Vec::new()),
    };
    OriginDocument { kind, run, because }
}

pub(crate) fn person(person: &Person) -> PersonDocument {
    let ids = person.ids.iter();
    PersonDocument {
        name: person.name.clone(),
        email: person.email.clone(),
        ids: ids
            .map(|(system, id)| (word(*system).to_owned(), id.clone()))
            .collect(),
    }
}

/// As serde writes it.
const fn word(system: System) -> &'static str {
    match system {
        System::Moodle => "moodle",
        System::Canvas => "canvas",
        System::Sis => "sis",
        System::Login => "login",
        System::Gradescope => "gradescope",
        System::Github => "github",
    }
}

pub(crate) fn english(text: &Text) -> String {
    text.get(Lang::En).to_owned()
}

pub(crate) fn assignment(info: &AssignmentInfo) -> AssignmentDocument {
    AssignmentDocument {
        id: info.id.to_string(),
        points: info.points,
        bonus: info.bonus,
        title: english(&info.title),
        problems: info
            .problems
            .iter()
            .map(|problem| AssignmentProblem {
                id: problem.id.to_string(),
                title: english(&problem.title),
                points: problem.points,
                bonus: problem.bonus,
                version: known(&problem.version),
            })
            .collect(),
    }
}

/// A text that is empty where it is not known, or not for this audience.
fn known(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn host(host: &Host) -> HostDocument {
    HostDocument {
        cpu: known(&host.cpu),
        cores: host.cores,
        kernel: known(&host.kernel),
        toolchains: host
            .toolchains
            .iter()
            .map(|(language, info)| (language.to_string(), toolchain(info)))
            .collect(),
    }
}

fn toolchain(info: &ToolchainInfo) -> String {
    match &info.version {
        None => "not installed".to_owned(),
        Some(version) => [version]
            .into_iter()
            .chain(&info.flags)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

pub(crate) fn isolation(isolation: &Isolation) -> IsolationDocument {
    IsolationDocument {
        level: match isolation.level {
            IsolationLevel::Basic => Level::Basic,
            IsolationLevel::Strict => Level::Strict,
        },
        layers: isolation.layers.clone(),
        missing: isolation.missing.clone(),
    }
}

fn student(student: &StudentResult) -> StudentDocument {
    let (points, bonus) = (student.points(), student.bonus());
    StudentDocument {
        id: student.id.to_string(),
        person: student.person.as_ref().map(person),
        notes: student.notes.iter().map(english).collect(),
        remarks: student.remarks.iter().map(english).collect(),
        points,
        bonus,
        nothing_handed_in: student.nothing_handed_in,
        graded: points.is_some() && bonus.is_some(),
        problems: student.problems.iter().map(problem_document).collect(),
        unused: student.unused.iter().map(unused).collect(),
    }
}

fn flag(flag: &Flag) -> FlagDocument {
    FlagDocument {
        code: flag.code.clone(),
        message: english(&flag.message),
        evidence: flag.evidence.iter().map(flag_evidence).collect(),
    }
}

fn flag_evidence(evidence: &FlagEvidence) -> FlagEvidenceDocument {
    let place = evidence.place.as_ref();
    FlagEvidenceDocument {
        message: english(&evidence.message),
        file: place.map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        excerpt: evidence.excerpt.as_ref().map(Excerpt::to_string),
    }
}

fn build(build: &BuildReport) -> BuildDocument {
    BuildDocument {
        toolchain: build.toolchain.clone(),
        messages: build.messages.as_ref().map(Excerpt::to_string),
        cpu_ms: Millis(build.cpu.as_millis_f64()),
    }
}

fn subtask(subtask: &SubtaskResult) -> SubtaskDocument {
    SubtaskDocument {
        name: subtask.name.to_string(),
        points: subtask.points,
        max_points: subtask.max_points,
        verdict: subtask.verdict,
        message: subtask.message.as_ref().map(english),
        growth: subtask.growth.as_ref().map(growth),
        cases: subtask.cases.iter().map(case).collect(),
    }
}

fn case(case: &CaseResult) -> CaseDocument {
    let outcome = case.outcome.as_ref();
    let (exit, signal) = match outcome.map(|outcome| outcome.end) {
        None => (None, None),
        Some(End::Exited(status)) => (Some(status), None),
        Some(End::Signalled(signal)) => (None, Some(signal)),
    };
    CaseDocument {
        name: case.name.to_string(),
        verdict: case.verdict,
        cpu_ms: outcome.map(|outcome| Millis(outcome.cpu.as_millis_f64())),
        wall_ms: outcome.map(|outcome| Millis(outcome.wall.as_millis_f64())),
        memory_kib: outcome
            .and_then(|outcome| outcome.memory)
            .map(grader_model::Bytes::kib),
        limit_cpu_ms: case.limits.map(|limits| Millis(limits.cpu.as_millis_f64())),
        limit_origin: case.limit_origin.as_ref().map(limit_origin),
        limit_wall_ms: case
            .limits
            .map(|limits| Millis(limits.wall.as_millis_f64())),
        yardstick_cpu_ms: case.yardstick.map(|time| Millis(time.as_millis_f64())),
        exit,
        signal,
        message: case.message.as_ref().map(english),
        hints: case.hints.iter().map(english).collect(),
        evidence: case.evidence.iter().map(evidence).collect(),
        stderr: case.stderr.as_ref().map(Excerpt::to_string),
        near_limit: case.near_limit,
        confirmation: case.confirmation.as_ref().map(confirmation),
        attempts: case.attempts.as_ref().map(attempts),
        share: case.share.map(share),
        needless: case.needless,
    }
}

fn evidence(evidence: &Evidence) -> EvidenceDocument {
    EvidenceDocument {
        code: evidence.code.clone(),
        message: english(&evidence.message),
        expected: evidence.expected.as_ref().map(Excerpt::to_string),
        found: evidence.found.as_ref().map(Excerpt::to_string),
        figure: evidence.figure.as_ref().map(Figure::plain),
    }
}

pub(crate) fn unused(file: &UnusedFile) -> UnusedDocument {
    UnusedDocument {
        path: file.path.clone(),
        reason: english(&file.reason),
        notable: file.notable,
    }
}

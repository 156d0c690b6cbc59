//! What `grader stress` and `grader audit` found outside the cases, for programs. In English only, and for staff: inputs may
//! be those of hidden cases.

use std::collections::BTreeMap;

use grader_model::{AssignmentId, CaseResult, ClassId, Lang, ProblemId, ProblemResult, StudentId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::findings::{Finding, FindingState};

/// What `grader stress` found: `bitcraft-stress/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct StressDocument {
    /// Name and version of this format.
    #[schemars(extend("const" = StressDocument::FORMAT))]
    pub format: &'static str,
    /// The problem.
    pub problem: ProblemId,
    /// The files of the program.
    pub files: Vec<String>,
    /// The file of the program that it is compared with; `null` if that is the reference.
    pub against: Option<String>,
    /// Why the program does not build, as in `bitcraft-results`; `null` if it does.
    pub unbuilt: Option<ProblemResult>,
    /// How many inputs were tried, of those that were valid.
    pub tried: usize,
    /// How many inputs there are. It may be larger than 2⁵³.
    pub inputs: u128,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
    /// The smallest input that was found on which the program fails.
    pub found: Option<FoundInput>,
    /// An input on which the program failed, without enough time to repeat that.
    pub unconfirmed: Option<String>,
    /// What is wrong with the problem itself.
    pub problem_fault: Option<String>,
}

impl StressDocument {
    /// Name and version of this format.
    pub const FORMAT: &'static str = "bitcraft-stress/1";
}

/// An input on which a program fails.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct FoundInput {
    /// How the program fails, as in `bitcraft-results`. Its name is the values of the variables, or the beginning of the input.
    pub case: CaseResult,
    /// The values of the variables from which the input was made.
    pub variables: BTreeMap<String, String>,
    /// The input, if it was made smaller; `null` if it follows from the variables.
    pub input: Option<String>,
}

/// What `grader audit` found: `bitcraft-audit/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AuditDocument {
    /// Name and version of this format.
    #[schemars(extend("const" = AuditDocument::FORMAT))]
    pub format: &'static str,
    /// The assignment.
    pub assignment: AssignmentId,
    /// The class; `null` if an earlier version graded it.
    pub class: Option<ClassId>,
    /// The run whose programs were tried, by its number in `grader history`.
    pub run: u64,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
    /// The accepted programs, each once.
    pub programs: Vec<AuditedProgram>,
    /// What is wrong with the problems themselves.
    pub faults: Vec<AuditedProblem>,
    /// Problems without inputs to search: none of their programs is among `programs`.
    pub not_searched: Vec<AuditedProblem>,
    /// Cases that the same programs of the class failed.
    pub cases: Vec<AlikeCases>,
}

/// An accepted program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AuditedProgram {
    /// The problem.
    pub problem: ProblemId,
    /// Everybody who submitted it.
    pub students: Vec<StudentId>,
    /// Its files.
    pub files: Vec<String>,
    /// What was found out.
    pub outcome: AuditOutcome,
    /// How many inputs it is right on; `null` unless it is `right`.
    pub inputs: Option<usize>,
    /// The smallest input that was found on which it fails.
    pub found: Option<FoundInput>,
    /// An input on which it failed, without enough time to repeat that.
    pub unconfirmed: Option<String>,
}

/// What is found out about an accepted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditOutcome {
    /// It fails on an input.
    Wrong,
    /// It is right on all inputs that were tried.
    Right,
    /// It failed on an input, without enough time to repeat that.
    InDoubt,
    /// It was tried on no input.
    NotTried,
    /// The search was stopped before it was done with this program.
    NotFinished,
}

/// A problem that is wrong itself, or is not searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AuditedProblem {
    /// The problem.
    pub problem: ProblemId,
    /// What is wrong with it, or why it is not searched.
    pub message: String,
}

/// Cases that no program failed, or that the same programs failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AlikeCases {
    /// The problem.
    pub problem: ProblemId,
    /// The cases, as `subtask/case`.
    pub cases: Vec<String>,
    /// How many programs failed all of them.
    pub failed_by: usize,
}

impl AuditDocument {
    /// Name and version of this format.
    pub const FORMAT: &'static str = "bitcraft-audit/1";

    /// Its programs and problems, and what is wrong with them.
    pub fn findings(&self) -> Vec<Finding> {
        let group = |problem: &ProblemId| format!("{}.{problem}", self.assignment);
        let faults = self.faults.iter().map(|it| Finding {
            group: group(&it.problem),
            name: "problem".to_owned(),
            state: FindingState::Wrong,
            messages: vec![it.message.clone()],
            ..Finding::default()
        });
        let programs = self.programs.iter().map(|it| {
            let students: Vec<&str> = it.students.iter().map(StudentId::as_str).collect();
            Finding {
                group: group(&it.problem),
                name: format!("{} · {}", students.join(", "), it.files.join(", ")),
                messages: it.message().into_iter().collect(),
                state: match it.outcome {
                    AuditOutcome::Right => FindingState::Right,
                    AuditOutcome::Wrong => FindingState::Wrong,
                    AuditOutcome::InDoubt | AuditOutcome::NotTried | AuditOutcome::NotFinished => {
                        FindingState::Fault
                    }
                },
                ..Finding::default()
            }
        });
        faults.chain(programs).collect()
    }
}

impl AuditedProgram {
    /// What is wrong with it, or not known.
    fn message(&self) -> Option<String> {
        match self.outcome {
            AuditOutcome::Right => None,
            AuditOutcome::Wrong => {
                let case = &self.found.as_ref()?.case;
                let because = case.message.as_ref();
                let because =
                    because.map_or_else(String::new, |it| format!(": {}", it.get(Lang::En)));
                let code = case.verdict.code();
                Some(format!("{code} on {}{because}", case.name))
            }
            AuditOutcome::InDoubt => {
                let input = self.unconfirmed.as_deref().unwrap_or_default();
                Some(format!(
                    "failed on {input}, but there was not enough time to confirm it"
                ))
            }
            AuditOutcome::NotTried => Some("not tried".to_owned()),
            AuditOutcome::NotFinished => Some("the search was stopped".to_owned()),
        }
    }
}

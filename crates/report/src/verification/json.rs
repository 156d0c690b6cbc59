//! The verification as JSON, `bitcraft-verification/1`: like `bitcraft-results/2`, by samples.

use std::io::{self, Write};

use grader_model::{
    Host, Isolation, Lang, Mismatch, MutantResult, ProblemResult, ProblemVerification,
    SampleResult, Verdict, Verification,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::table::Table;
use crate::json::{schema_of, write_value};

/// What was found in one or several assignments.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Verification of Bitcraft, version 1")]
pub struct VerificationDocument {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: VerificationTag,
    /// Whether everything got what it must get.
    pub holds: bool,
    /// The assignments, in the order in which they were verified.
    pub assignments: Vec<AssignmentVerificationDocument>,
}

/// What was found in an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AssignmentVerificationDocument {
    /// Its id.
    pub id: String,
    /// The machine.
    pub host: Host,
    /// How programs were isolated.
    pub isolation: Isolation,
    /// Whether everything in it got what it must get.
    pub holds: bool,
    /// Its problems, in order.
    pub problems: Vec<ProblemVerificationDocument>,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum VerificationTag {
    /// The first version.
    #[serde(rename = "bitcraft-verification/1")]
    VerificationV1,
}

/// What was found in a problem.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemVerificationDocument {
    /// The problem.
    pub id: String,
    /// What is wrong with the problem itself.
    pub mismatches: Vec<MismatchDocument>,
    /// The samples, in the order of their paths.
    pub samples: Vec<SampleDocument>,
    /// Cases that no wrong sample fails, as `subtask/case`.
    pub idle_cases: Vec<String>,
    /// The mutants of its reference.
    pub mutants: Vec<MutantDocument>,
    /// The table of the tests, where it was asked for and there is a wrong program.
    pub table: Option<TableDocument>,
}

/// A mutant of a reference: a program with one mistake that the grader carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct MutantDocument {
    /// Its name among the mutants of the reference.
    pub name: String,
    /// What is wrong about it.
    pub mistake: String,
    /// The first case that fails it, as `subtask/case`.
    pub killed_by: Option<String>,
    /// Whether it was run and no case fails it.
    pub survives: bool,
}

/// Which wrong program fails which case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TableDocument {
    /// The cases, as `subtask/case`.
    pub cases: Vec<String>,
    /// The wrong samples, then the mutants.
    pub programs: Vec<TableRowDocument>,
    /// Cases that fail none of the programs.
    pub idle_cases: Vec<String>,
    /// Groups of programs with the same verdict in every case, by name. Those accepted throughout are left out.
    pub alike: Vec<Vec<String>>,
    /// Cases that together fail every program that any case fails; chosen greedily, so fewer may do.
    pub enough: Vec<String>,
}

/// A wrong program in every case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TableRowDocument {
    /// The path of the sample, or `mutants/NAME`.
    pub name: String,
    /// Its verdict in each case, in their order.
    pub verdicts: Vec<Verdict>,
}

/// One sample submission.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SampleDocument {
    /// Its path below `submissions/`.
    pub path: String,
    /// The verdict that its folder stands for.
    pub expected: Verdict,
    /// Whether it got what it must get.
    pub holds: bool,
    /// In what it differs.
    pub mismatches: Vec<MismatchDocument>,
    /// What its author says about it.
    pub because: Option<String>,
    /// What the judge found, as in `bitcraft-results/2`.
    pub found: ProblemResult,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct MismatchDocument {
    /// Where.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
}

/// The document of the verifications of one or several assignments.
pub fn verification_document(verifications: &[Verification]) -> VerificationDocument {
    VerificationDocument {
        format: VerificationTag::VerificationV1,
        holds: verifications.iter().all(Verification::holds),
        assignments: verifications.iter().map(assignment).collect(),
    }
}

/// Writes verifications as one JSON document, indented, with a line feed at the end.
///
/// # Errors
/// When `out` cannot be written.
pub fn verification_json(verifications: &[Verification], out: &mut dyn Write) -> io::Result<()> {
    write_value(&verification_document(verifications), out)
}

/// The JSON Schema (2020-12) of [`VerificationDocument`], generated from the types that write it.
///
/// It is committed as `schema/verification.schema.json`.
pub fn verification_schema() -> Value {
    schema_of::<VerificationDocument>()
}

fn assignment(verification: &Verification) -> AssignmentVerificationDocument {
    AssignmentVerificationDocument {
        id: verification.assignment.to_string(),
        host: verification.host.clone(),
        isolation: verification.isolation.clone(),
        holds: verification.holds(),
        problems: verification
            .problems
            .iter()
            .map(|it| problem(it, verification.every_case))
            .collect(),
    }
}

fn problem(problem: &ProblemVerification, with_table: bool) -> ProblemVerificationDocument {
    ProblemVerificationDocument {
        id: problem.id.to_string(),
        mismatches: problem.mismatches.iter().map(mismatch).collect(),
        samples: problem.samples.iter().map(sample).collect(),
        idle_cases: problem.idle_cases.clone(),
        mutants: problem.mutants.iter().map(mutant).collect(),
        table: Table::of(problem).filter(|_| with_table).map(table),
    }
}

fn mutant(mutant: &MutantResult) -> MutantDocument {
    MutantDocument {
        name: mutant.name.clone(),
        mistake: mutant.mistake.get(Lang::En).to_owned(),
        killed_by: mutant.killed_by().map(|case| case.name.clone()),
        survives: mutant.survives(),
    }
}

fn table(table: Table) -> TableDocument {
    let cases = |cases: Vec<usize>| {
        let names = cases.into_iter().map(|it| table.cases[it].clone());
        names.collect()
    };
    let programs = |programs: Vec<usize>| {
        let names = programs
            .into_iter()
            .map(|it| table.programs[it].name.clone());
        names.collect()
    };
    TableDocument {
        idle_cases: cases(table.idle()),
        alike: table.alike().into_iter().map(programs).collect(),
        enough: cases(table.enough()),
        programs: table
            .programs
            .iter()
            .map(|program| TableRowDocument {
                name: program.name.clone(),
                verdicts: program.verdicts.clone(),
            })
            .collect(),
        cases: table.cases,
    }
}

fn sample(sample: &SampleResult) -> SampleDocument {
    SampleDocument {
        path: sample.path.clone(),
        expected: sample.expected,
        holds: sample.holds(),
        mismatches: sample.mismatches.iter().map(mismatch).collect(),
        because: sample.because.clone(),
        found: sample.found.clone().in_language(Lang::En),
    }
}

fn mismatch(mismatch: &Mismatch) -> MismatchDocument {
    MismatchDocument {
        place: mismatch.place.clone(),
        message: mismatch.message.get(Lang::En).to_owned(),
    }
}

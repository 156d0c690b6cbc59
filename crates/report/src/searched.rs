//! What `grader stress` and `grader audit` found outside the cases: for programs in English only, and for people. It is for staff:
//! inputs may be those of hidden cases.

use grader_model::{
    AssignmentId, ClassId, Lang, ProblemId, ProblemResult, StudentId, counted, escaped,
};
use grader_view::{AlikeCases, AuditOutcome, AuditedProblem, AuditedProgram, FoundInput};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document;
use crate::findings::{Finding, FindingState};
use crate::style::Style;
use crate::words::Words;

/// Cases that are named in a line; the others are counted.
const MAX_NAMED: usize = 8;

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
    /// So many seconds may tell more, if the time was too short.
    #[serde(skip)]
    pub longer: Option<u64>,
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
            messages: vec![it.message.en.clone()],
            ..Finding::default()
        });
        let programs = self.programs.iter().map(|it| {
            let students: Vec<&str> = it.students.iter().map(StudentId::as_str).collect();
            Finding {
                group: group(&it.problem),
                name: format!("{} · {}", students.join(", "), it.files.join(", ")),
                messages: message(it).into_iter().collect(),
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

    /// The programs of which this was found out.
    pub fn programs_with(
        &self,
        outcome: AuditOutcome,
    ) -> impl Iterator<Item = &AuditedProgram> + Clone {
        self.programs.iter().filter(move |it| it.outcome == outcome)
    }

    /// Whether something is in doubt, or was not tried, or a problem is wrong itself.
    pub fn has_faults(&self) -> bool {
        let has = |outcome| self.programs_with(outcome).next().is_some();
        has(AuditOutcome::InDoubt) || has(AuditOutcome::NotTried) || !self.faults.is_empty()
    }

    /// What was not found out, how many programs are wrong, and which cases are alike, for people: a line each.
    pub fn text(&self, style: &Style) -> String {
        let words = style.words();
        let in_doubt = self.programs_with(AuditOutcome::InDoubt);
        let in_doubt = in_doubt.map(|it| {
            let input = it.unconfirmed.as_deref().unwrap_or_default();
            words.failed_once(whose(it), input)
        });
        let not_tried = self.programs_with(AuditOutcome::NotTried);
        // Of many, the last line has the number, and JSON the names.
        let are_few = not_tried.clone().count() <= MAX_NAMED;
        let not_tried = not_tried
            .filter(|_| are_few)
            .map(|it| words.program_not_tried(whose(it)));
        let faults = self.faults.iter();
        let faults = faults.map(|it| words.of_problem(&it.problem, it.message.get(words.lang)));
        let alike = self.cases.iter().map(|it| alike(it, words));
        let lines = in_doubt.chain(not_tried).chain(faults);
        let lines = lines.chain([self.summary(words)]).chain(alike);
        lines.map(|line| line + "\n").collect()
    }

    /// How many of all programs are wrong, and how much is known of the others.
    fn summary(&self, words: Words) -> String {
        let count = |outcome| self.programs_with(outcome).count();
        let (all, wrong) = (self.programs.len(), count(AuditOutcome::Wrong));
        let accepted = ["accepted program", "accepted programs"];
        let mut line = words.found_wrong(wrong, words.counted(all, accepted, "个通过的程序"));
        let right = self.programs_with(AuditOutcome::Right);
        if let Some(least) = right.filter_map(|it| it.inputs).min() {
            let right = count(AuditOutcome::Right);
            let inputs = words.counted(least, ["input", "inputs"], "个输入");
            line += &if wrong + right == all {
                words.others_right(inputs)
            } else {
                words.some_right(right, inputs)
            };
        }
        let in_doubt = count(AuditOutcome::InDoubt);
        if in_doubt > 0 {
            line += &words.and_in_doubt(in_doubt);
        }
        let not_tried = count(AuditOutcome::NotTried);
        if not_tried > 0 {
            line += &words.and_not_tried(not_tried);
        }
        if let Some(seconds) = self.longer {
            line += &words.try_longer(seconds);
        }
        line
    }
}

/// An accepted program that is wrong, and how it fails, for people.
pub fn wrong_program(program: &AuditedProgram, style: &Style) -> String {
    let found = program.found.as_ref();
    let found = found.map_or_else(String::new, |it| document::case(&it.case, style));
    format!("{}\n{found}\n", whose(program))
}

/// Whose a program is, for which problem, and its files.
fn whose(program: &AuditedProgram) -> String {
    let students = program.students.iter();
    let students: Vec<String> = students.map(|it| escaped(it.as_str().as_bytes())).collect();
    let (students, files) = (students.join(", "), program.files.join(", "));
    format!("{students} · {} · {files}", program.problem)
}

fn alike(alike: &AlikeCases, words: Words) -> String {
    let (problem, all) = (&alike.problem, alike.cases.len());
    let named = words.list(alike.cases.iter().take(MAX_NAMED).cloned());
    let named = match all.saturating_sub(MAX_NAMED) {
        0 => named,
        more => words.more_cases(named, counted(more, "more case", "more cases"), all),
    };
    match alike.failed_by {
        0 => words.nobody_fails(problem, named),
        1 => words.one_fails(problem, named),
        count => words.several_fail(problem, count, named),
    }
}

/// What is wrong with a program, or not known.
fn message(program: &AuditedProgram) -> Option<String> {
    match program.outcome {
        AuditOutcome::Right => None,
        AuditOutcome::Wrong => {
            let case = &program.found.as_ref()?.case;
            let because = case.message.as_ref();
            let because = because.map_or_else(String::new, |it| format!(": {}", it.get(Lang::En)));
            let code = case.verdict.code();
            Some(format!("{code} on {}{because}", case.name))
        }
        AuditOutcome::InDoubt => {
            let input = program.unconfirmed.as_deref().unwrap_or_default();
            Some(format!(
                "failed on {input}, but there was not enough time to confirm it"
            ))
        }
        AuditOutcome::NotTried => Some("not tried".to_owned()),
        AuditOutcome::NotFinished => Some("the search was stopped".to_owned()),
    }
}

#[cfg(test)]
mod tests;

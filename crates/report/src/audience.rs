//! Who may see what. This is the only place that decides it.

use std::borrow::Cow;

use grader_model::{CaseName, CaseResult, Host, ProblemResult, Results, StudentResult};

/// Who reads a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The student whom it is about.
    Student,
    /// Those who grade.
    Staff,
}

impl Audience {
    /// The results as this audience may see them. Staff sees everything.
    ///
    /// | field | student |
    /// |---|---|
    /// | `assignment`, `isolation`, `interrupted` | yes |
    /// | `host.cpu`, `host.kernel` | no: empty |
    /// | `host.cores`, `host.toolchains` | yes |
    /// | a student's points, bonus, unused files | yes: their own |
    /// | a problem's points, verdict, message, hints, language, files, build | yes |
    /// | a problem's `flags` | no: none |
    /// | a subtask's name, points, verdict | yes |
    /// | files beside the students' folders | no: they may be anybody's |
    /// | a case of a subtask that is not hidden | yes, all of it |
    /// | verdict of a case of a hidden subtask | yes |
    /// | its name | no: `#1`, `#2`, … in order |
    /// | its message, evidence, hints, standard error | no: they quote the hidden input |
    /// | its outcome, limits, yardstick, near-limit mark | no: a program could signal the input by them |
    ///
    /// Choosing the one student whom a report is about is left to the caller: see [`Audience::student`].
    pub fn view(self, results: &Results) -> Cow<'_, Results> {
        match self {
            Self::Staff => Cow::Borrowed(results),
            Self::Student => Cow::Owned(Results {
                assignment: results.assignment.clone(),
                host: Host {
                    cpu: String::new(),
                    kernel: String::new(),
                    cores: results.host.cores,
                    toolchains: results.host.toolchains.clone(),
                },
                isolation: results.isolation.clone(),
                students: results.students.iter().map(reduced).collect(),
                unused: Vec::new(),
                yardsticks: Vec::new(),
                interrupted: results.interrupted,
            }),
        }
    }

    /// One student's result as this audience may see it, by the table of [`Audience::view`].
    pub fn student(self, student: &StudentResult) -> Cow<'_, StudentResult> {
        match self {
            Self::Staff => Cow::Borrowed(student),
            Self::Student => Cow::Owned(reduced(student)),
        }
    }
}

fn reduced(student: &StudentResult) -> StudentResult {
    let mut student = student.clone();
    student.problems = student.problems.iter().map(reduced_problem).collect();
    student
}

/// A problem as the student whose submission it is about may see it.
pub(crate) fn reduced_problem(problem: &ProblemResult) -> ProblemResult {
    let mut problem = problem.clone();
    problem.flags.clear();
    for subtask in &mut problem.subtasks {
        if subtask.hidden {
            subtask.growth = None;
            subtask.message = None;
            for (index, case) in subtask.cases.iter_mut().enumerate() {
                *case = hidden_case(case, index);
            }
        }
    }
    problem
}

/// What a student may see of a hidden case, which is the one at `index` of its subtask.
pub(crate) fn hidden_case(case: &CaseResult, index: usize) -> CaseResult {
    CaseResult {
        name: CaseName::new(format!("#{}", index + 1)),
        verdict: case.verdict,
        message: None,
        evidence: Vec::new(),
        hints: Vec::new(),
        outcome: None,
        limits: None,
        yardstick: None,
        stderr: None,
        near_limit: false,
        confirmation: None,
        attempts: None,
        share: None,
        needless: false,
    }
}

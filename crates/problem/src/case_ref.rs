//! One case among all cases.

use grader_model::{CaseName, NamedCase, ProblemId, SubtaskName};

use crate::problem::{Case, Problem, Subtask};

/// A case with its subtask and problem.
#[derive(Clone, Copy, Debug)]
pub struct CaseRef<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The subtask.
    pub subtask: &'a Subtask,
    /// The case.
    pub case: &'a Case,
}

/// Identifies a case in an assignment.
pub type CaseKey = (ProblemId, SubtaskName, CaseName);

impl<'a> CaseRef<'a> {
    /// All cases of a problem, in order.
    pub fn all(problem: &'a Problem) -> impl Iterator<Item = Self> {
        Self::in_subtasks(problem, &problem.subtasks)
    }

    /// The cases in some of a problem's subtasks.
    pub fn in_subtasks(
        problem: &'a Problem,
        subtasks: &'a [Subtask],
    ) -> impl Iterator<Item = Self> {
        subtasks.iter().flat_map(move |subtask| {
            let cases = subtask.cases.iter();
            cases.map(move |case| Self {
                problem,
                subtask,
                case,
            })
        })
    }

    /// The case, as limits name it.
    pub fn named(&self) -> NamedCase {
        NamedCase {
            name: format!("{}/{}", self.subtask.name, self.case.name),
            hidden: self.subtask.hidden,
        }
    }

    /// The case that a limit names, even if it is not judged.
    pub fn find(problem: &'a Problem, named: &NamedCase) -> Option<Self> {
        // Neither name has a slash.
        let (subtask, case) = named.name.split_once('/')?;
        let mut subtasks = problem.subtasks.iter().chain(&problem.unjudged);
        let subtask = subtasks.find(|it| it.name.as_str() == subtask)?;
        let case = subtask.cases.iter().find(|it| it.name.as_str() == case)?;
        Some(Self {
            problem,
            subtask,
            case,
        })
    }

    /// Its key.
    pub fn key(&self) -> CaseKey {
        let (subtask, case) = (self.subtask.name.clone(), self.case.name.clone());
        (self.problem.id.clone(), subtask, case)
    }
}

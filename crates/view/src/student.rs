//! One student.

use grader_model::{
    Objection, Person, Points, ProblemId, ProblemInfo, Standing, StudentId, StudentResult, Text,
    UnusedFile,
};

use crate::problem::ProblemView;

/// One student.
#[derive(Clone, Debug)]
pub struct StudentView<'a> {
    /// The student.
    pub id: &'a StudentId,
    /// Name and address.
    pub person: Option<&'a Person>,
    /// The team, or what else those who submitted together have in common.
    pub team: Option<&'a str>,
    /// Notes on the submission, those for staff last.
    pub notes: Vec<&'a Text>,
    /// The notes for staff.
    pub remarks: &'a [Text],
    /// What a person said about everything.
    pub comments: &'a [Text],
    /// What the student objects to.
    pub objection: Option<&'a Objection>,
    /// Whether all points are known, with the bonus.
    pub standing: Standing,
    /// Whether the points without the bonus are known.
    pub points: Standing,
    /// Whether the bonus points are known.
    pub bonus: Standing,
    /// Whether there was nothing to judge.
    pub nothing_submitted: bool,
    /// The problems, in the order of the assignment.
    pub problems: Vec<ProblemView<'a>>,
    /// Files that were not judged.
    pub unused: &'a [UnusedFile],
}

impl<'a> StudentView<'a> {
    /// The view of a result whose reader may see all of it.
    pub fn of(student: &'a StudentResult, problems: &'a [ProblemInfo]) -> Self {
        let info = |id: &ProblemId| problems.iter().find(|it| it.id == *id);
        let results = student.problems.iter();
        Self {
            id: &student.id,
            person: student.person.as_ref(),
            team: student.team.as_deref(),
            notes: student.notes.iter().chain(&student.remarks).collect(),
            remarks: &student.remarks,
            comments: &student.comments,
            objection: student.objection.as_ref(),
            standing: student.standing(),
            points: student.standing_without_bonus(),
            bonus: student.standing_of_bonus(),
            nothing_submitted: student.nothing_submitted,
            problems: results
                .map(|it| ProblemView::of(it, info(&it.id)))
                .collect(),
            unused: &student.unused,
        }
    }

    /// The full name, unless it is the id.
    pub fn name(&self) -> Option<&'a str> {
        self.person.and_then(|person| person.name_beside(self.id))
    }

    /// What was submitted for this problem.
    pub fn problem(&self, id: &ProblemId) -> Option<&ProblemView<'a>> {
        self.problems.iter().find(|problem| problem.id == id)
    }

    /// Full points, or full bonus points.
    pub fn most(&self, bonus: bool) -> Points {
        let problems = self.problems.iter().filter(|it| it.bonus == bonus);
        problems.map(|problem| problem.max_points).sum()
    }

    /// The problems in which points were lost; none if nothing was submitted at all.
    pub fn to_fix(&self) -> impl Iterator<Item = &ProblemView<'a>> {
        let problems = self.problems.iter().filter(|it| it.is_to_fix());
        problems.filter(move |_| !self.nothing_submitted)
    }
}

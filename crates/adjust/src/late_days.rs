//! Late days: extensions that students give themselves.

use grader_model::{AllAttempts, Deadline, Points, ProblemResult, StudentResult};
use grader_problem::Correction;
use jiff::Timestamp;

use crate::{Conditions, adjust_student, extension};

/// What late days are used for: the result of a student as it was judged, and what changes it.
#[derive(Debug)]
pub struct LateWork<'a> {
    /// The result as it was judged.
    pub student: &'a StudentResult,
    /// The corrections of the class.
    pub corrections: &'a [Correction],
    /// What is the same for all students.
    pub conditions: Conditions<'a>,
    /// The deadline of the assignment.
    pub deadline: &'a Deadline,
    /// The attempts in the ledger.
    pub attempts: &'a AllAttempts,
}

/// What a student has if a deadline is extended: the points, and the percentage that late penalties leave of what is not scored
/// yet.
type Worth = (Points, u32);

impl LateWork<'_> {
    /// The late days that the student uses for an assignment: the fewest that earn the most points, at most those that are
    /// `left` and that the deadline allows. Returns their number, and corrections that extend the deadline of each late problem by so many days.
    pub fn late_days(&self, left: u32) -> (u32, Vec<Correction>) {
        let allowed = self.deadline.late_days_at_most.unwrap_or(u32::MAX);
        let most = self.needed().min(left).min(allowed);
        if most == 0 {
            return (0, Vec::new());
        }
        let best = self.worth(most);
        // More days never earn less.
        let (mut too_few, mut enough) = (0, most);
        while too_few < enough {
            let days = too_few.midpoint(enough);
            if self.worth(days) < best {
                too_few = days + 1;
            } else {
                enough = days;
            }
        }
        (enough, self.extensions(enough))
    }

    /// The days after which nothing is late.
    fn needed(&self) -> u32 {
        let late = self.late().map(|(_, submitted, extended)| {
            let days = self.deadline.lateness(submitted, extended);
            days.map_or(0, |_| self.deadline.days_late(submitted, extended))
        });
        late.max().unwrap_or_default()
    }

    /// The problems with the last moment at which something was submitted for them, and the student's own deadline.
    fn late(&self) -> impl Iterator<Item = (&ProblemResult, Timestamp, Option<Timestamp>)> {
        self.student.problems.iter().filter_map(|problem| {
            problem.submission.as_ref()?;
            let of = (self.student.id.clone(), problem.id.clone());
            let attempts = self.attempts.get(&of).into_iter().flatten();
            let moments = attempts.filter_map(|it| it.submitted);
            let last = moments.chain(problem.submitted).max()?;
            let own = self.corrections.iter();
            let own = own.filter(|it| {
                it.unclear.is_none() && it.is_for(&self.student.id) && it.covers(&problem.id)
            });
            let extended = extension(&own.collect::<Vec<_>>()).map(|(_, extended)| extended);
            Some((problem, last, extended))
        })
    }

    /// Corrections that extend the deadline of each late problem by so many days.
    fn extensions(&self, days: u32) -> Vec<Correction> {
        let late = self.late().filter(|(_, submitted, extended)| {
            days > 0 && self.deadline.lateness(*submitted, *extended).is_some()
        });
        let extended = late.map(|(problem, _, extended)| Correction {
            student: self.student.id.to_string(),
            problem: Some(problem.id.clone()),
            deadline: Some(
                self.deadline
                    .days_after(extended.unwrap_or(self.deadline.due), days),
            ),
            ..Correction::default()
        });
        extended.collect()
    }

    /// What the student has with so many late days.
    fn worth(&self, days: u32) -> Worth {
        let mut student = self.student.clone();
        let own = self.corrections.iter();
        let own = own.filter(|it| it.group.is_some() || it.is_for(&student.id));
        let corrections: Vec<Correction> = own.cloned().chain(self.extensions(days)).collect();
        let ids = student.problems.iter();
        let ids = ids.map(|problem| (student.id.clone(), problem.id.clone()));
        let attempts = ids.filter_map(|id| Some((id.clone(), self.attempts.get(&id)?.clone())));
        let mut attempts = attempts.collect();
        adjust_student(&mut student, &corrections, self.conditions, &mut attempts);
        let problems = || student.problems.iter();
        let points = problems().filter_map(|it| it.standing().so_far());
        let open = problems().filter(|it| it.standing().is_open());
        let left = open.map(|problem| {
            let mut percents = problem.adjustments.iter().map(|it| it.percent);
            let lost = percents.find_map(|it| it).unwrap_or_default();
            u32::from(100_u8.saturating_sub(lost))
        });
        (points.sum(), left.sum())
    }
}

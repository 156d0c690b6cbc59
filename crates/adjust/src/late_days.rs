//! Late days: extensions that students give themselves.

use grader_model::{Deadline, StudentResult};
use grader_problem::Correction;
use jiff::SignedDuration;

use crate::extension;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The late days that a student uses for an assignment: as many as its latest problem needs to be on time, or all that
/// are `left`. Returns their number, and corrections that extend the deadline of each late problem by so many days.
/// `corrections` are those that made the result what it is.
pub fn late_days(
    student: &StudentResult,
    corrections: &[Correction],
    deadline: &Deadline,
    left: u32,
) -> (u32, Vec<Correction>) {
    let late = student.problems.iter().filter_map(|problem| {
        let own = corrections.iter();
        let own = own.filter(|it| it.is_for(&student.id) && it.covers(&problem.id));
        let extended = extension(&own.collect::<Vec<_>>()).map(|(_, extended)| extended);
        let lateness = deadline.lateness(problem.submitted?, extended)?;
        problem.submission.as_ref()?;
        Some((problem, extended.unwrap_or(deadline.due), lateness.by))
    });
    let late: Vec<_> = late.collect();
    let grace = SignedDuration::from_secs(i64::try_from(deadline.grace_s).unwrap_or(i64::MAX));
    let needed = late.iter().map(|(_, _, by)| {
        let beyond = by.saturating_sub(grace).as_nanos().unsigned_abs();
        beyond.div_ceil(DAY.as_nanos().unsigned_abs())
    });
    let needed = needed.max().unwrap_or_default();
    let used = u32::try_from(needed).unwrap_or(u32::MAX).min(left);
    let length = SignedDuration::from_hours(24 * i64::from(used));
    let extended = late.iter().filter(|_| used > 0);
    let extended = extended.map(|(problem, due, _)| Correction {
        student: student.id.to_string(),
        problem: Some(problem.id.clone()),
        // It would be beyond the year 9999.
        deadline: Some(due.saturating_add(length).unwrap_or(*due)),
        ..Correction::default()
    });
    (used, extended.collect())
}

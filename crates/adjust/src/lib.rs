//! What changes points after judging: which attempt counts, late work, and corrections by hand.
//!
//! [`adjust`] is a pure function of results as they were judged. The ledger holds these, so a change of the deadline or of
//! the corrections judges nothing again. [`CorrectionsText`] edits the file of corrections.

mod edit;
mod late;

use std::collections::BTreeMap;

pub use edit::{CorrectionsText, EditError, NewCorrection};
use grader_model::{
    Adjustment, AdjustmentKind, Attempt, AttemptChoice, Deadline, Origin, Points, ProblemId,
    ProblemResult, Results, StudentId, StudentResult, Text, escaped,
};
use grader_problem::Correction;
use jiff::Timestamp;

/// Applies the deadline of the assignment and these corrections to the results of a class. `attempts` are those of the
/// ledger; without any, the submission that was judged counts.
///
/// Corrections of students who are not in the results change nothing: they are returned.
pub fn adjust<'a>(
    results: &mut Results,
    corrections: &'a [Correction],
    attempts: Vec<Attempt>,
) -> Vec<&'a Correction> {
    let mut by_problem: BTreeMap<(StudentId, ProblemId), Vec<Attempt>> = BTreeMap::new();
    for attempt in attempts {
        let of = (attempt.student.clone(), attempt.problem.clone());
        by_problem.entry(of).or_default().push(attempt);
    }
    let deadline = results.assignment.deadline.as_ref();
    let is_of = |it: &Correction, id: &StudentId| {
        it.student == escaped(id.as_str().as_bytes()) || it.student == id.as_str()
    };
    for student in &mut results.students {
        let own = corrections.iter().filter(|it| is_of(it, &student.id));
        let own: Vec<&Correction> = own.collect();
        for problem in &mut student.problems {
            let fits = |it: &&&Correction| it.problem.as_ref().is_none_or(|id| *id == problem.id);
            let of = (student.id.clone(), problem.id.clone());
            let adjusting = Adjusting {
                corrections: own.iter().filter(fits).copied().collect(),
                deadline,
            };
            let attempts = by_problem.remove(&of).unwrap_or_default();
            adjusting.apply(problem, attempts, &mut student.remarks);
        }
        excuse(student, &own);
    }
    let students = &results.students;
    let is_unknown = |it: &&Correction| !students.iter().any(|student| is_of(it, &student.id));
    corrections.iter().filter(is_unknown).collect()
}

/// What applies to one problem of a student.
struct Adjusting<'a> {
    corrections: Vec<&'a Correction>,
    deadline: Option<&'a Deadline>,
}

impl Adjusting<'_> {
    fn apply(&self, problem: &mut ProblemResult, attempts: Vec<Attempt>, remarks: &mut Vec<Text>) {
        self.choose(problem, attempts, remarks);
        if let Some((points, message)) = self.late(problem) {
            push(problem, AdjustmentKind::Late, points, message);
        }
        for correction in &self.corrections {
            correct(problem, correction, remarks);
        }
    }

    /// Takes the attempt that counts.
    fn choose(&self, problem: &mut ProblemResult, attempts: Vec<Attempt>, remarks: &mut Vec<Text>) {
        let by_hand = self
            .corrections
            .iter()
            .find_map(|it| Some((it, it.attempt?)));
        let is_best = self
            .deadline
            .is_some_and(|it| it.attempts == AttemptChoice::Best);
        let all = attempts.len();
        let chosen = match by_hand {
            Some((_, number)) => number as usize - 1,
            None if !is_best || problem.points.is_none() => return,
            None => {
                let points = attempts.iter().map(|attempt| {
                    let result = attempt.result.as_ref().unwrap_or(problem);
                    self.late(result).map_or(result.points, |(left, _)| left)
                });
                // Of equal ones the submission that was judged now, else the latest.
                let rank = |(number, points): (usize, Option<Points>)| {
                    (points, attempts[number].result.is_none(), number)
                };
                match points.enumerate().map(rank).max() {
                    Some((_, _, number)) => number,
                    None => return,
                }
            }
        };
        let number = chosen + 1;
        let Some(attempt) = attempts.into_iter().nth(chosen) else {
            let line = by_hand.map_or(0, |(correction, _)| correction.line);
            remarks.push(Text::new(
                format!(
                    "{}: the correction on line {line} names attempt {number}, but there are {all}",
                    problem.id
                ),
                format!(
                    "{}：修正文件第 {line} 行指定第 {number} 次提交，但只有 {all} 次",
                    problem.id
                ),
            ));
            return;
        };
        let Some(result) = attempt.result else {
            return;
        };
        *problem = ProblemResult {
            origin: Some(Origin::Reused { run: attempt.run }),
            ..result
        };
        let (en, zh) = match by_hand {
            Some((correction, _)) => comment(correction),
            None => (
                ": it has the most points after lateness".to_owned(),
                "：扣除迟交后得分最高".to_owned(),
            ),
        };
        let message = Text::new(
            format!("attempt {number} of {all} counts{en}"),
            format!("{all} 次提交中第 {number} 次计分{zh}"),
        );
        push(problem, AdjustmentKind::Attempt, problem.points, message);
    }

    /// What lateness leaves of the points, and why.
    fn late(&self, problem: &ProblemResult) -> Option<(Option<Points>, Text)> {
        let (deadline, submitted) = (self.deadline?, problem.submitted?);
        let extended = self.extended();
        let lateness = deadline.lateness(submitted, extended)?;
        let left = problem.points.map(|points| lateness.left_of(points));
        let due = extended.unwrap_or(deadline.due);
        let change = problem.points.zip(left);
        Some((
            left,
            late::message(deadline, (due, submitted), lateness, change),
        ))
    }

    /// The student's own deadline; that of the problem goes before that of all.
    fn extended(&self) -> Option<Timestamp> {
        let given = self.corrections.iter().filter(|it| it.deadline.is_some());
        given.max_by_key(|it| it.problem.is_some())?.deadline
    }
}

/// Applies the points and the comment of a correction.
fn correct(problem: &mut ProblemResult, correction: &Correction, remarks: &mut Vec<Text>) {
    let sets_points = correction.points.is_some() || correction.add.is_some();
    let is_other = |named: &String| problem.submission.as_ref() != Some(named);
    if sets_points && correction.submission.as_ref().is_some_and(is_other) {
        let (id, line) = (&problem.id, correction.line);
        remarks.push(Text::new(
            format!("{id}: the correction on line {line} does not apply: it was made for another submission"),
            format!("{id}：修正文件第 {line} 行不起作用：它针对的是另一次提交"),
        ));
        return;
    }
    let before = problem.points;
    let (en, zh) = comment(correction);
    let points = match (correction.points, correction.add, before) {
        (Some(points), ..) => Some(points),
        (None, Some(add), Some(before)) => {
            let sum = before.thousandths().saturating_add_signed(add);
            Some(Points::from_thousandths(sum))
        }
        (None, Some(_), None) => None,
        (None, None, _) => {
            // An excuse, a deadline and an attempt have their comments with them.
            let is_bare = !correction.excused
                && correction.deadline.is_none()
                && correction.attempt.is_none();
            if let Some(text) = correction.comment.as_ref().filter(|_| is_bare) {
                let message = Text::new(format!("comment: {text}"), format!("评语：{text}"));
                push(problem, AdjustmentKind::Comment, before, message);
            }
            return;
        }
    };
    let shown = |points: Option<Points>| points.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let (from, to) = (shown(before), shown(points));
    let message = Text::new(
        format!("corrected by hand from {from} to {to} points{en}"),
        format!("人工修正：{from} 分改为 {to} 分{zh}"),
    );
    push(problem, AdjustmentKind::Correction, points, message);
}

/// Gives problems that the student is excused from the share of the others.
fn excuse(student: &mut StudentResult, corrections: &[&Correction]) {
    let excuse = |problem: &ProblemResult| {
        let mut excuses = corrections.iter().filter(|it| it.excused && !problem.bonus);
        excuses
            .find(|it| it.problem.as_ref().is_none_or(|id| *id == problem.id))
            .copied()
    };
    let others = student
        .problems
        .iter()
        .filter(|it| !it.bonus && excuse(it).is_none());
    let others: Vec<&ProblemResult> = others.collect();
    let earned: Option<Points> = others.iter().map(|it| it.points).sum();
    let most: Points = others.iter().map(|it| it.max_points).sum();
    for problem in &mut student.problems {
        let Some(correction) = excuse(problem) else {
            continue;
        };
        let (en, zh) = comment(correction);
        let share = earned.filter(|_| most > Points::ZERO).map(|earned| {
            let exact =
                u128::from(problem.max_points.thousandths()) * u128::from(earned.thousandths());
            let thousandths = exact.div_ceil(u128::from(most.thousandths()));
            Points::from_thousandths(u64::try_from(thousandths).unwrap_or(u64::MAX))
        });
        let message = if let Some(earned) = earned.filter(|_| most > Points::ZERO) {
            Text::new(
                format!(
                    "excused: counts with the share of the other problems, {earned} of {most}{en}"
                ),
                format!("免做：按其余题目的得分率计分（{earned} / {most}）{zh}"),
            )
        } else {
            Text::new(format!("excused{en}"), format!("免做{zh}"))
        };
        push(problem, AdjustmentKind::Excused, share, message);
    }
}

fn push(problem: &mut ProblemResult, kind: AdjustmentKind, points: Option<Points>, message: Text) {
    problem.points = points;
    problem.adjustments.push(Adjustment {
        kind,
        points,
        message,
    });
}

/// The comment of a correction, after a colon.
fn comment(correction: &Correction) -> (String, String) {
    let comment = correction.comment.as_ref();
    comment.map_or_else(Default::default, |text| {
        (format!(": {text}"), format!("：{text}"))
    })
}

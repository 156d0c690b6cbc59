//! What changes points after judging: which attempt counts, late work, and corrections by hand.
//!
//! [`adjust`] is a pure function of results as they were judged. The ledger holds these, so a change of the deadline or of
//! the corrections judges nothing again.

mod late;
mod late_days;

pub use late_days::LateWork;

use std::collections::BTreeSet;

use grader_model::{
    Adjustment, AdjustmentKind, AllAttempts, Attempt, AttemptChoice, Deadline, FaultCause, Given,
    ManualSubtask, Origin, Points, ProblemInfo, ProblemResult, Results, Standing, Status,
    StudentResult, SubtaskResult, Text, WhyOpen, local_time,
};
use grader_problem::Correction;
use jiff::Timestamp;

/// Applies the deadline of the assignment and these corrections to the results of a class. `attempts` are those of the
/// ledger; without any, the submission that was judged counts. Cases that are no longer hidden `now` are shown.
///
/// Returns the corrections of students and groups that are not in the results: they change nothing.
pub fn adjust<'a>(
    results: &mut Results,
    corrections: &'a [Correction],
    mut attempts: AllAttempts,
    now: Timestamp,
) -> Vec<&'a Correction> {
    let conditions = Conditions {
        problems: &results.assignment.problems,
        deadline: results.assignment.deadline.as_ref(),
        now,
    };
    let mut groups = BTreeSet::new();
    for student in &mut results.students {
        groups.extend(adjust_student(
            student,
            corrections,
            conditions,
            &mut attempts,
        ));
    }
    let students = &results.students;
    let is_unknown = |it: &&Correction| match it.group {
        Some(_) => !groups.contains(&it.place),
        None => !students.iter().any(|student| it.is_for(&student.id)),
    };
    corrections.iter().filter(is_unknown).collect()
}

/// What is the same for all students of a class.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// The problems, with what people grade in them.
    pub problems: &'a [ProblemInfo],
    /// The deadline of the assignment.
    pub deadline: Option<&'a Deadline>,
    /// The clock.
    pub now: Timestamp,
}

/// Applies the deadline and these corrections to the result of one student. Returns the places of the corrections that are for
/// groups and apply.
fn adjust_student<'a>(
    student: &mut StudentResult,
    corrections: &'a [Correction],
    conditions: Conditions<'a>,
    attempts: &mut AllAttempts,
) -> Vec<&'a String> {
    let Conditions {
        problems,
        deadline,
        now,
    } = conditions;
    let mut groups = Vec::new();
    let own = corrections.iter().filter(|it| it.is_for(&student.id));
    let mut own: Vec<&Correction> = own.collect();
    for problem in &mut student.problems {
        let own_unclear = &own;
        let own = own.iter().copied().filter(|it| it.unclear.is_none());
        let rubrics = problems.iter().find(|it| it.id == problem.id);
        let rubrics = rubrics.map_or(&[][..], |it| &it.manual);
        let mut rules = Rules {
            corrections: own.filter(|it| it.covers(&problem.id)).collect(),
            deadline,
        };
        rules.check_file(problem, &mut student.remarks);
        let attempts = attempts.remove(&(student.id.clone(), problem.id.clone()));
        rules.choose_attempt(problem, attempts.unwrap_or_default(), &mut student.remarks);
        // What is for one student goes after what is for everybody.
        let of_group = corrections.iter().filter(|it| it.is_for_group_of(problem));
        groups.extend(
            corrections
                .iter()
                .filter(|it| it.is_about(problem))
                .map(|it| &it.place),
        );
        let unclear = own_unclear.iter().copied().chain(of_group.clone());
        let unclear = unclear.filter(|it| it.unclear.is_some() && it.covers(&problem.id));
        let unclear: Vec<_> = unclear.collect();
        let of_group = of_group.filter(|it| it.unclear.is_none());
        rules.corrections.splice(..0, of_group);
        join(problem, corrections);
        rules.give(problem, rubrics, &mut student.remarks);
        rules.apply_deadline(problem);
        rules.reveal(problem, now);
        for correction in &rules.corrections {
            correct(problem, correction, &mut student.remarks);
        }
        leave_open(problem, &unclear);
    }
    let unclear = own.iter().filter_map(|it| it.unclear.clone());
    student.remarks.extend(unclear);
    own.retain(|it| it.unclear.is_none());
    excuse(student, &own);
    let comments = own.iter().filter(|it| it.problem.is_none() && is_bare(it));
    let comments = comments.filter_map(|it| it.comment.clone());
    student.comments.extend(comments.map(Text::plain));
    groups
}

/// Names the mistake of a submission after the group that a person joined its own with.
fn join(problem: &mut ProblemResult, corrections: &[Correction]) {
    let is_own = |id: &String| problem.behaviour.as_ref() == Some(id);
    let mut known = corrections.iter().filter(|it| it.unclear.is_none());
    let with = known.find(|it| it.covers(&problem.id) && it.joined.iter().any(is_own));
    if let Some(with) = with {
        problem.behaviour.clone_from(&with.group);
    }
}

/// What applies to one problem of a student.
struct Rules<'a> {
    corrections: Vec<&'a Correction>,
    deadline: Option<&'a Deadline>,
}

impl Rules<'_> {
    /// Remarks that a file that was assigned by hand is not what was judged.
    fn check_file(&self, problem: &ProblemResult, remarks: &mut Vec<Text>) {
        // The last one counts.
        let mut corrections = self.corrections.iter();
        if let Some(correction) = corrections.rfind(|it| it.file.is_some())
            && let Some(file) = &correction.file
        {
            let is_part =
                |path: &String| path == file || file.ends_with('/') && path.starts_with(file);
            if !problem.files.iter().any(is_part) {
                let (id, place) = (&problem.id, &correction.place);
                remarks.push(Text::new(
                    format!("{id}: the correction at {place} assigns `{file}`, which was not judged: grade again, or correct the name"),
                    format!("{id}：{place} 处的修正指定了 `{file}`，但该文件没有评测过：请重新评测，或改正文件名"),
                ));
            }
        }
    }

    /// Replaces the result by that of the attempt that counts.
    fn choose_attempt(
        &self,
        problem: &mut ProblemResult,
        attempts: Vec<Attempt>,
        remarks: &mut Vec<Text>,
    ) {
        let is_best = |it: &Deadline| it.attempts == AttemptChoice::Best;
        let is_judged = match problem.standing() {
            Standing::Open(WhyOpen::ByHand(_)) | Standing::Scored(_) | Standing::Excused => true,
            Standing::Open(_) => false,
        };
        let is_best = is_judged && self.deadline.is_some_and(is_best);
        let mut corrections = self.corrections.iter();
        let by_hand = corrections.rfind(|it| it.attempt.is_some());
        let by_hand = by_hand.and_then(|it| Some((it, it.attempt? as usize)));
        let (id, all) = (&problem.id, attempts.len());
        for (index, _) in attempts.iter().enumerate().filter(|(_, it)| it.is_outdated) {
            let outdated = index + 1;
            if by_hand.map_or(is_best, |(_, number)| number == outdated) {
                remarks.push(Text::new(
                    format!("{id}: attempt {outdated} of {all} cannot count: the problem has changed since it was graded"),
                    format!("{id}：{all} 次提交中的第 {outdated} 次不能计分：评测之后题目有变动"),
                ));
            }
        }
        let number = match by_hand {
            Some((correction, number)) if number > all => {
                let place = &correction.place;
                remarks.push(Text::new(
                    format!("{id}: the correction at {place} names attempt {number}, but the ledger has only {all}"),
                    format!("{id}：{place} 处的修正指定了第 {number} 次提交，但结果库中只有 {all} 次"),
                ));
                return;
            }
            Some((_, number)) => number,
            None => match self.best(problem, &attempts).filter(|_| is_best) {
                Some(number) => number,
                None => return,
            },
        };
        let chosen = attempts.into_iter().nth(number - 1);
        let Some(attempt) = chosen.filter(|it| !it.is_outdated) else {
            return;
        };
        let (en, zh) = by_hand.map_or_else(Default::default, |(it, _)| comment(it));
        let counts = |en, zh| {
            Text::new(
                format!("attempt {number} of {all} counts{en}"),
                format!("以 {all} 次提交中的第 {number} 次为准{zh}"),
            )
        };
        let message = match (attempt.result, self.deadline, attempt.submitted) {
            (Some(result), ..) => {
                *problem = ProblemResult {
                    origin: Some(Origin::Reused { run: attempt.run }),
                    ..result
                };
                if by_hand.is_some() {
                    counts(en, zh)
                } else {
                    let en = ": it has the most points after late penalties";
                    counts(en.to_owned(), "：扣除迟交的分数后，得分最高".to_owned())
                }
            }
            // The same files were submitted again: the first time counts.
            (None, Some(deadline), Some(first)) if problem.submitted != Some(first) => {
                problem.submitted = Some(first);
                let first = local_time(first, &deadline.zone);
                Text::new(
                    format!(
                        "the same files were submitted before, at {first}: that time counts{en}"
                    ),
                    format!("相同的文件曾于 {first} 提交，以该时间为准{zh}"),
                )
            }
            (None, ..) if by_hand.is_some() => counts(en, zh),
            (None, ..) => return,
        };
        push(problem, AdjustmentKind::Attempt, problem.points, message);
    }

    /// The number of the attempt with the most points after late penalties. If several have them, it is the submission
    /// that was judged now, else the latest.
    fn best(&self, problem: &ProblemResult, attempts: &[Attempt]) -> Option<usize> {
        let rank = |(number, attempt): (usize, &Attempt)| {
            let result = attempt.result.as_ref().unwrap_or(problem);
            let judged = judged_points(result);
            let late = self.late(judged, attempt.submitted);
            let points = late.map_or(judged, |late| late.left);
            (!attempt.is_outdated).then_some((points, attempt.result.is_none(), number))
        };
        let (_, _, number) = (1..).zip(attempts).filter_map(rank).max()?;
        Some(number)
    }

    /// Fills in what people gave in subtasks that are graded by hand. Items are added to those before; a number replaces them,
    /// and is replaced by them.
    fn give(
        &self,
        problem: &mut ProblemResult,
        rubrics: &[ManualSubtask],
        remarks: &mut Vec<Text>,
    ) {
        let corrections = self.corrections.iter().copied();
        let given = corrections.filter_map(|it| Some((it, it.manual.as_ref()?)));
        for (correction, given) in given {
            if !is_for_submission(correction, problem, remarks) {
                continue;
            }
            let mut subtasks = problem.subtasks.iter_mut();
            let Some(subtask) = subtasks.find(|it| it.name == given.subtask) else {
                continue;
            };
            let before = subtask.manual.take().unwrap_or_default().items;
            let is_given = |id: &String| before.contains(id) || given.items.contains(id);
            let mut rubrics = rubrics.iter();
            let rubric = rubrics.find(|it| it.name == given.subtask);
            let both = rubric.into_iter().flat_map(|it| &it.items);
            let both: Vec<_> = both.filter(|it| is_given(&it.id)).collect();
            (subtask.points, subtask.manual) = if given.items.is_empty() || both.is_empty() {
                let items = given.items.clone();
                (Some(given.points), Some(Given { items }))
            } else {
                let items = both.iter().map(|it| it.id.clone()).collect();
                let points = both.iter().map(|it| it.points).sum();
                (Some(points), Some(Given { items }))
            };
            let comments = subtask.message.take().map(|it| it.en).into_iter();
            let comments: Vec<_> = comments.chain(correction.comment.clone()).collect();
            let comments = Some(comments.join("; ")).filter(|it| !it.is_empty());
            subtask.message = comments.map(Text::plain);
            if let Status::Judged | Status::NotSubmitted = problem.status {
                problem.points = problem.subtasks.iter().map(|it| it.points).sum();
            }
        }
    }

    /// Shows a deadline of the student's own, and takes what a late submission loses.
    fn apply_deadline(&self, problem: &mut ProblemResult) {
        let (Some(deadline), Some(_)) = (self.deadline, &problem.submission) else {
            return;
        };
        if let Some((correction, extended)) = extension(&self.corrections) {
            let (en, zh) = comment(correction);
            let (due, zone) = (local_time(extended, &deadline.zone), &deadline.zone);
            let message = Text::new(
                format!("deadline for this student: {due} ({zone}){en}"),
                format!("该学生的截止时间：{due}（{zone}）{zh}"),
            );
            push(problem, AdjustmentKind::Deadline, problem.points, message);
        }
        if let Some(late) = self.late(problem.points, problem.submitted) {
            push(problem, AdjustmentKind::Late, late.left, late.message);
            if let Some(last) = problem.adjustments.last_mut() {
                last.percent = Some(late.percent);
            }
        }
    }

    /// Shows what was hidden until a time that is past.
    fn reveal(&self, problem: &mut ProblemResult, now: Timestamp) {
        let extended = extension(&self.corrections).map(|(_, deadline)| deadline);
        for subtask in &mut problem.subtasks {
            let until = subtask.hidden_until;
            if until.is_some_and(|it| it.is_past(now, self.deadline, extended)) {
                subtask.hidden = false;
            }
        }
    }

    /// What lateness leaves of the points, and why; `None` if the submission is on time.
    fn late(&self, points: Option<Points>, submitted: Option<Timestamp>) -> Option<Late> {
        let (deadline, submitted) = (self.deadline?, submitted?);
        let extended = extension(&self.corrections).map(|(_, deadline)| deadline);
        let lateness = deadline.lateness(submitted, extended)?;
        let due = extended.unwrap_or(deadline.due);
        let left = points.map(|points| lateness.left_of(points));
        let message = late::message((due, submitted), &deadline.zone, lateness, points.zip(left));
        Some(Late {
            left,
            percent: lateness.percent,
            message,
        })
    }
}

/// What lateness costs.
struct Late {
    /// The points that are left.
    left: Option<Points>,
    percent: u8,
    message: Text,
}

/// The student's own deadline; one for this problem goes before one for all, and a later correction before an earlier one.
fn extension<'a>(corrections: &[&'a Correction]) -> Option<(&'a Correction, Timestamp)> {
    let given = corrections.iter();
    let given = given.filter_map(|it| Some((*it, it.deadline?)));
    given.max_by_key(|(correction, _)| correction.problem.is_some())
}

/// Applies the points and the comment of a correction.
fn correct(problem: &mut ProblemResult, correction: &Correction, remarks: &mut Vec<Text>) {
    let before = problem.points;
    let points = match (correction.points, correction.add) {
        (Some(points), _) => Some(points),
        (None, Some(add)) => before.map(|before| {
            Points::from_thousandths(before.thousandths().saturating_add_signed(add))
        }),
        (None, None) => {
            let is_shown = is_bare(correction) && correction.problem.is_some();
            let text = correction.comment.as_ref().filter(|_| is_shown);
            let Some(text) = text.filter(|_| is_for_submission(correction, problem, remarks))
            else {
                return;
            };
            let message = Text::new(format!("comment: {text}"), format!("评语：{text}"));
            push(problem, AdjustmentKind::Comment, before, message);
            return point_at(problem, correction);
        }
    };
    if !is_for_submission(correction, problem, remarks) {
        return;
    }
    let (en, zh) = comment(correction);
    // What was above the maximum before may stay so.
    let most = before.map_or(problem.max_points, |it| it.max(problem.max_points));
    let above = points.filter(|points| *points > most && !correction.bonus);
    let points = above.map_or(points, |_| Some(most));
    let from = problem.standing();
    let to = points.map_or(from, Standing::Scored);
    let cut = above.map_or_else(Default::default, |above| {
        let (id, place) = (&problem.id, &correction.place);
        remarks.push(Text::new(
            format!("{id}: the correction at {place} makes {above} points of {most}, and {most} count: write `bonus = true` there if more is meant"),
            format!("{id}：{place} 处的修正得出 {above} 分，超过满分 {most} 分，按 {most} 分计：如确需加分，请在该处写上 `bonus = true`"),
        ));
        (" (the maximum)", "（满分）")
    });
    let message = Text::new(
        format!("corrected by hand from {from} to {to} points{}{en}", cut.0),
        format!("人工修正：由 {from} 分改为 {to} 分{}{zh}", cut.1),
    );
    push(problem, AdjustmentKind::Correction, points, message);
    point_at(problem, correction);
}

/// Leaves points open that a correction would change, but perhaps not in this class.
fn leave_open(problem: &mut ProblemResult, unclear: &[&Correction]) {
    if unclear.iter().any(|it| it.changes_points()) {
        problem.status = Status::Fault(FaultCause::Unclear);
        let message = Text::new(
            "not scored yet: a correction by hand does not say for which class it is",
            "尚未评分：有一项人工修正没有写明属于哪个班级",
        );
        push(problem, AdjustmentKind::Correction, None, message);
    }
}

/// Whether it says something and changes nothing. Excuses, deadlines and attempts show the comment in messages of their own.
const fn is_bare(correction: &Correction) -> bool {
    correction.points.is_none()
        && correction.add.is_none()
        && !correction.excused
        && correction.manual.is_none()
        && correction.deadline.is_none()
        && correction.attempt.is_none()
}

/// Adds the line of the source that the last change is about.
fn point_at(problem: &mut ProblemResult, correction: &Correction) {
    if let Some(last) = problem.adjustments.last_mut() {
        last.at.clone_from(&correction.at);
    }
}

/// Whether a correction is for the submission that counts; if it is not, a remark says so.
fn is_for_submission(
    correction: &Correction,
    problem: &ProblemResult,
    remarks: &mut Vec<Text>,
) -> bool {
    let is_for = correction.submission.is_none() || correction.submission == problem.submission;
    if !is_for {
        let (id, place) = (&problem.id, &correction.place);
        remarks.push(Text::new(
            format!(
                "{id}: the correction at {place} does not apply: it was made for another submission"
            ),
            format!("{id}：{place} 处的修正没有生效：它针对的是另一次提交"),
        ));
    }
    is_for
}

/// The points without those that a person gives; `None` if they are open.
fn judged_points(problem: &ProblemResult) -> Option<Points> {
    let by_hand = |it: &&SubtaskResult| it.manual.is_some();
    if problem.points.is_some() || !problem.subtasks.iter().any(|it| by_hand(&it)) {
        return problem.points;
    }
    let judged = problem.subtasks.iter().filter(|it| !by_hand(it));
    judged.map(|it| it.points).sum()
}

/// Gives each problem that the student is excused from the share of points that the other problems earned.
fn excuse(student: &mut StudentResult, corrections: &[&Correction]) {
    let excuses = corrections.iter().enumerate().filter(|(_, it)| it.excused);
    let excuse = |problem: &ProblemResult| {
        let excuses = excuses.clone().filter(|_| !problem.bonus);
        // Points for one problem go before an excuse from all, and before an earlier one from it.
        let mut kinds = problem.adjustments.iter().map(|it| it.kind);
        let is_corrected = kinds.any(|kind| kind == AdjustmentKind::Correction);
        let gives_points = |it: &&Correction| {
            let is_for = it.submission.is_none() || it.submission == problem.submission;
            is_for && it.covers(&problem.id) && (it.points.is_some() || it.add.is_some())
        };
        let last = corrections.iter().rposition(gives_points);
        let mut excuses = excuses.filter(|(place, it)| match it.problem {
            Some(_) => last.is_none_or(|last| last < *place),
            None => !is_corrected,
        });
        // An open problem stays open: nobody knows yet whether it is this student's excuse.
        let is_unclear = problem.status == Status::Fault(FaultCause::Unclear);
        let mut excuses = excuses.by_ref().filter(|_| !is_unclear);
        excuses.find_map(|(_, it)| it.covers(&problem.id).then_some(it))
    };
    let problems = student.problems.iter();
    let others: Vec<_> = problems
        .filter(|it| !it.bonus && excuse(it).is_none())
        .collect();
    let most: Points = others.iter().map(|it| it.max_points).sum();
    let earned: Option<Points> = others.iter().map(|it| it.points).sum();
    let earned = earned.filter(|_| most > Points::ZERO);
    for problem in &mut student.problems {
        let Some(correction) = excuse(problem) else {
            continue;
        };
        let (en, zh) = comment(correction);
        let share = earned.map(|earned| {
            let (earned, most) = (earned.thousandths(), most.thousandths());
            problem.max_points.portion(earned, most)
        });
        let message = match earned {
            Some(earned) => Text::new(
                format!(
                    "excused: earns the same percentage as the other problems, {earned} of {most}{en}"
                ),
                format!("免做：按其余题目的得分率计分（{earned} / {most}）{zh}"),
            ),
            None => Text::new(format!("excused{en}"), format!("免做{zh}")),
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
        percent: None,
        at: None,
    });
}

/// The comment of a correction after a colon, in English and Chinese; empty if there is none.
fn comment(correction: &Correction) -> (String, String) {
    let comment = correction.comment.as_ref();
    comment.map_or_else(Default::default, |text| {
        (format!(": {text}"), format!("：{text}"))
    })
}

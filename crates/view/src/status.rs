//! Whether work is good: annotations, test reports, "To fix", colours and cells of tables ask only this.

use std::borrow::Cow;

use grader_model::{
    AdjustmentKind, Points, ProblemResult, Standing, Status as Progress, SubtaskResult, Verdict,
    WhyOpen,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Whether the work for a problem or a subtask is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has all points.
    Full,
    /// It has some points, or lost them only after judging.
    Short {
        /// The points that it has not.
        lost: Points,
        /// What took the first of them.
        why: Lost,
    },
    /// It was judged and earned nothing.
    Failed(Verdict),
    /// Its points are not known yet.
    Waiting(WhyOpen),
    /// The student is excused.
    Excused,
    /// Nothing was submitted, and nobody gave points for that.
    Absent,
}

/// What took points away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Cases failed.
    Judged(Verdict),
    /// A person gave fewer.
    ByHand,
    /// A tool made remarks.
    Remarks,
    /// It was late.
    Late,
    /// A person took them away.
    Corrected,
}

impl Status {
    pub(crate) fn of(problem: &ProblemResult) -> Self {
        let points = match problem.standing() {
            Standing::Open(why) => return Self::Waiting(why),
            _ if problem.is_excused() => return Self::Excused,
            Standing::Excused => return Self::Excused,
            Standing::Scored(points) => points,
        };
        if problem.status == Progress::NotSubmitted && points == Points::ZERO {
            return Self::Absent;
        }
        // A person who gave points to what was not judged has decided all of them.
        let is_judged = !matches!(problem.status, Progress::NotSubmitted | Progress::NotJudged);
        let has_failed =
            is_judged && !matches!(problem.verdict, Verdict::Accepted | Verdict::JudgeError);
        let is_late = problem.adjustments.iter().any(|it| {
            it.kind == AdjustmentKind::Late && it.percent.is_some_and(|percent| percent > 0)
        });
        let why = if has_failed {
            Lost::Judged(problem.verdict)
        } else if let Some(why) = problem.subtasks.iter().find_map(lost_unjudged) {
            why
        } else if is_late {
            Lost::Late
        } else {
            Lost::Corrected
        };
        Self::of_points(points, problem.max_points, why)
    }

    pub(crate) fn of_subtask(subtask: &SubtaskResult) -> Self {
        let is_accepted = subtask.verdict == Verdict::Accepted;
        let why = if is_accepted && subtask.manual.is_some() {
            Lost::ByHand
        } else if is_accepted && subtask.check.is_some() {
            Lost::Remarks
        } else {
            Lost::Judged(subtask.verdict)
        };
        match subtask.standing() {
            Standing::Open(why) => Self::Waiting(why),
            Standing::Excused => Self::Excused,
            Standing::Scored(points) => Self::of_points(points, subtask.max_points, why),
        }
    }

    /// What so many points of so many are. If it is worth nothing, the verdict decides.
    fn of_points(points: Points, most: Points, why: Lost) -> Self {
        let lost = most.saturating_sub(points);
        match why {
            Lost::Judged(Verdict::Accepted) if lost == Points::ZERO => Self::Full,
            Lost::Judged(verdict) if points == Points::ZERO => Self::Failed(verdict),
            _ if lost == Points::ZERO => Self::Full,
            why => Self::Short { lost, why },
        }
    }

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Short { .. } => "short",
            Self::Failed(_) => "failed",
            Self::Waiting(_) => "waiting",
            Self::Excused => "excused",
            Self::Absent => "absent",
        }
    }

    /// The points that were lost, if it has some of all.
    pub const fn lost(self) -> Option<Points> {
        match self {
            Self::Short { lost, .. } => Some(lost),
            _ => None,
        }
    }

    /// Whether nothing is to be done: it has all points, or the student is excused. Failing cases do not count then.
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Full | Self::Excused)
    }

    /// Whether it could not be judged, or not in this run.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Waiting(why) if why.is_fault())
    }

    /// Whether it was judged or graded, and has not all points.
    pub const fn is_short(self) -> bool {
        matches!(self, Self::Short { .. } | Self::Failed(_))
    }

    /// Whether only points that a person gives are missing.
    pub const fn is_by_hand(self) -> bool {
        matches!(self, Self::Waiting(WhyOpen::ByHand(_)))
    }
}

impl Serialize for Status {
    /// As its word.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl JsonSchema for Status {
    fn schema_name() -> Cow<'static, str> {
        "WorkStatus".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": ["full", "short", "failed", "waiting", "excused", "absent"] })
    }
}

/// Whether all that was judged of a submission is right, whatever a person gives or takes.
pub fn is_right(problem: &ProblemResult) -> bool {
    problem.status == Progress::Judged && problem.verdict == Verdict::Accepted
}

/// Why a subtask without cases has fewer than all points, if a person or a tool took some.
fn lost_unjudged(subtask: &SubtaskResult) -> Option<Lost> {
    match Status::of_subtask(subtask) {
        Status::Short {
            why: why @ (Lost::ByHand | Lost::Remarks),
            ..
        } => Some(why),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use grader_model::{Adjustment, FaultCause, Given, Text};

    use super::*;

    fn judged(points: u32, verdict: Verdict) -> SubtaskResult {
        SubtaskResult {
            points: Some(Points::whole(points)),
            max_points: Points::whole(6),
            verdict,
            ..SubtaskResult::default()
        }
    }

    fn by_hand(points: Option<u32>) -> SubtaskResult {
        SubtaskResult {
            points: points.map(Points::whole),
            max_points: Points::whole(4),
            verdict: Verdict::Accepted,
            manual: Some(Given::default()),
            ..SubtaskResult::default()
        }
    }

    fn problem(subtasks: Vec<SubtaskResult>, verdict: Verdict) -> ProblemResult {
        ProblemResult {
            points: subtasks.iter().map(|it| it.points).sum(),
            max_points: subtasks.iter().map(|it| it.max_points).sum(),
            verdict,
            status: Progress::Judged,
            subtasks,
            ..ProblemResult::default()
        }
    }

    fn adjusted(
        mut problem: ProblemResult,
        kind: AdjustmentKind,
        points: Option<u32>,
    ) -> ProblemResult {
        problem.points = points.map(Points::whole);
        problem.adjustments.push(Adjustment {
            kind,
            points: problem.points,
            message: Text::default(),
            percent: (kind == AdjustmentKind::Late).then_some(10),
            at: None,
        });
        problem
    }

    #[test]
    fn one_place_says_whether_work_is_good_and_what_took_its_points() {
        use AdjustmentKind::{Correction, Excused, Late};
        use Verdict::{Accepted, JudgeError, PartiallyCorrect, Skipped, WrongAnswer};
        let right = || problem(vec![judged(6, Accepted)], Accepted);
        let wrong = || problem(vec![judged(0, WrongAnswer)], WrongAnswer);
        let fault = || ProblemResult {
            points: None,
            status: Progress::Fault(FaultCause::Grader),
            ..problem(vec![judged(0, JudgeError)], JudgeError)
        };
        let unjudged = || ProblemResult {
            status: Progress::NotJudged,
            ..problem(vec![judged(0, Skipped)], Skipped)
        };
        let absent = || ProblemResult {
            status: Progress::NotSubmitted,
            ..problem(vec![judged(0, Skipped)], Skipped)
        };
        let mixed = |judged, given, verdict| problem(vec![judged, by_hand(given)], verdict);
        let short = |lost, why| Status::Short {
            lost: Points::whole(lost),
            why,
        };
        let waiting = |so_far| Status::Waiting(WhyOpen::ByHand(Points::whole(so_far)));
        let partial = judged(2, PartiallyCorrect);
        #[rustfmt::skip]
        let table = [
            (right(), Status::Full),
            (wrong(), Status::Failed(WrongAnswer)),
            (problem(vec![partial.clone()], PartiallyCorrect), short(4, Lost::Judged(PartiallyCorrect))),
            (absent(), Status::Absent),
            (fault(), Status::Waiting(WhyOpen::Fault(FaultCause::Grader))),
            // By hand: missing, less than all, all.
            (mixed(judged(6, Accepted), None, Accepted), waiting(6)),
            (mixed(judged(0, WrongAnswer), None, WrongAnswer), waiting(0)),
            (mixed(judged(6, Accepted), Some(0), Accepted), short(4, Lost::ByHand)),
            (mixed(judged(6, Accepted), Some(4), Accepted), Status::Full),
            (mixed(partial, Some(0), PartiallyCorrect), short(8, Lost::Judged(PartiallyCorrect))),
            // After judging.
            (adjusted(right(), Late, Some(5)), short(1, Lost::Late)),
            (adjusted(right(), Late, Some(0)), short(6, Lost::Late)),
            (adjusted(right(), Correction, Some(0)), short(6, Lost::Corrected)),
            (adjusted(wrong(), Correction, Some(6)), Status::Full),
            (adjusted(wrong(), Correction, Some(5)), short(1, Lost::Judged(WrongAnswer))),
            (adjusted(fault(), Correction, Some(6)), Status::Full),
            (adjusted(fault(), Correction, Some(0)), short(6, Lost::Corrected)),
            (adjusted(unjudged(), Correction, Some(0)), short(6, Lost::Corrected)),
            (adjusted(absent(), Correction, Some(2)), short(4, Lost::Corrected)),
            (adjusted(wrong(), Excused, Some(3)), Status::Excused),
            (adjusted(absent(), Excused, None), Status::Excused),
        ];
        for (problem, expected) in table {
            assert_eq!(Status::of(&problem), expected, "{problem:?}");
        }
        let subtasks = [
            (judged(6, Accepted), Status::Full),
            (judged(0, WrongAnswer), Status::Failed(WrongAnswer)),
            (by_hand(None), waiting(0)),
            (by_hand(Some(1)), short(3, Lost::ByHand)),
            (by_hand(Some(0)), short(4, Lost::ByHand)),
            (by_hand(Some(4)), Status::Full),
        ];
        for (subtask, expected) in subtasks {
            assert_eq!(Status::of_subtask(&subtask), expected, "{subtask:?}");
        }
    }
}

//! Whether points are known. Exit statuses, tables, statistics, gradebooks and pages all use this module, so that none
//! contradicts another.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::standing_json::{StandingKeys, StandingWord, WhyOpenWord};
use crate::{
    AdjustmentKind, CaseResult, FaultCause, Points, ProblemResult, Results, Status, StudentResult,
    SubtaskResult, Verdict,
};

/// The standing of a problem, a student or a class: whether its points are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has these points.
    Scored(Points),
    /// It is not scored yet.
    Open(WhyOpen),
    /// The student is excused and has no points: nothing is missing.
    Excused,
}

/// Why points are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyOpen {
    /// It could not be judged.
    Fault(FaultCause),
    /// It was not judged in this run.
    NotJudged,
    /// Only points that a person gives are missing; it has these without them, after any late penalty.
    ByHand(Points),
    /// Only some cases are shown or were run; their points would look like a grade.
    SomeCases,
}

impl WhyOpen {
    /// Whether something could not be judged. Points that a person has still to give are no fault.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Fault(_) | Self::NotJudged)
    }
}

impl Standing {
    /// The sign of an excuse in a table.
    pub const EXCUSED: &str = "EX";

    /// The points, if they are known.
    pub const fn points(self) -> Option<Points> {
        match self {
            Self::Scored(points) => Some(points),
            Self::Open(_) | Self::Excused => None,
        }
    }

    /// Whether the points are not known yet.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// The points, or those that it has without what a person has still to give.
    pub const fn so_far(self) -> Option<Points> {
        match self {
            Self::Scored(points) | Self::Open(WhyOpen::ByHand(points)) => Some(points),
            Self::Open(_) | Self::Excused => None,
        }
    }

    /// Whether only points that a person gives are missing.
    pub const fn is_by_hand(self) -> bool {
        matches!(self, Self::Open(WhyOpen::ByHand(_)))
    }

    /// The standing of several problems together: open while one is, and excused if the student is excused from all.
    fn sum(problems: impl Iterator<Item = Self>) -> Self {
        let (mut sum, mut excused, mut others, mut by_hand) = (Points::ZERO, 0, 0, false);
        for problem in problems {
            match problem {
                Self::Excused => excused += 1,
                Self::Scored(points) => (sum, others) = (sum + points, others + 1),
                Self::Open(WhyOpen::ByHand(so_far)) => (sum, by_hand) = (sum + so_far, true),
                Self::Open(_) => return problem,
            }
        }
        if by_hand {
            Self::Open(WhyOpen::ByHand(sum))
        } else if excused > 0 && others == 0 {
            Self::Excused
        } else {
            Self::Scored(sum)
        }
    }
}

impl From<Standing> for StandingKeys {
    fn from(standing: Standing) -> Self {
        let why = |why| match why {
            WhyOpen::Fault(FaultCause::Grader) => WhyOpenWord::Fault,
            WhyOpen::Fault(FaultCause::Unreadable) => WhyOpenWord::Unreadable,
            WhyOpen::Fault(FaultCause::Unclear) => WhyOpenWord::Unclear,
            WhyOpen::NotJudged => WhyOpenWord::NotJudged,
            WhyOpen::ByHand(_) => WhyOpenWord::ByHand,
            WhyOpen::SomeCases => WhyOpenWord::SomeCases,
        };
        let (word, why_open) = match standing {
            Standing::Scored(_) => (StandingWord::Scored, None),
            Standing::Open(open) => (StandingWord::Open, Some(why(open))),
            Standing::Excused => (StandingWord::Excused, None),
        };
        Self {
            standing: word,
            why_open,
            so_far: standing.so_far(),
        }
    }
}

impl Serialize for Standing {
    /// As points; nothing if there are none.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.points().serialize(serializer)
    }
}

impl fmt::Display for Standing {
    /// The text of a table's cell: `26.25`, `15 + ?`, `?` or `EX`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scored(points) => points.fmt(f),
            Self::Open(WhyOpen::ByHand(so_far)) if *so_far > Points::ZERO => {
                f.pad(&format!("{so_far} + ?"))
            }
            Self::Open(_) => f.pad("?"),
            Self::Excused => f.pad(Self::EXCUSED),
        }
    }
}

impl CaseResult {
    /// Why it is open; `None` if it has its verdict.
    pub fn why_open(&self) -> Option<WhyOpen> {
        (self.verdict == Verdict::JudgeError).then_some(WhyOpen::Fault(FaultCause::Grader))
    }
}

impl SubtaskResult {
    /// Whether its points are known.
    pub fn standing(&self) -> Standing {
        let open = || {
            let mut cases = self.cases.iter();
            let fault = cases.find_map(CaseResult::why_open);
            let by_hand = self.manual.as_ref().map(|_| WhyOpen::ByHand(Points::ZERO));
            let has_failed = self.check.is_some() && self.verdict == Verdict::JudgeError;
            let check = has_failed.then_some(WhyOpen::Fault(FaultCause::Grader));
            let why = fault.or(by_hand).or(check);
            Standing::Open(why.unwrap_or(WhyOpen::NotJudged))
        };
        self.points.map_or_else(open, Standing::Scored)
    }
}

impl ProblemResult {
    /// Whether its points are known.
    ///
    /// An excused problem's points depend on the other problems. While one of those is open, that one is reported as
    /// open, not the excused problem.
    pub fn standing(&self) -> Standing {
        match (self.points, self.status) {
            (Some(points), _) => Standing::Scored(points),
            (None, _) if self.is_excused() => Standing::Excused,
            (None, Status::Fault(cause)) => Standing::Open(WhyOpen::Fault(cause)),
            (None, Status::NotJudged) => Standing::Open(WhyOpen::NotJudged),
            (None, Status::NotSubmitted | Status::Judged) => {
                let subtasks = self.subtasks.iter();
                let subtasks: Vec<_> = subtasks.map(SubtaskResult::standing).collect();
                let is_fault = |it: &&Standing| matches!(it, Standing::Open(WhyOpen::Fault(_)));
                Standing::Open(
                    if let Some(Standing::Open(why)) = subtasks.iter().find(is_fault) {
                        *why
                    } else if subtasks.iter().any(|it| it.is_by_hand()) {
                        WhyOpen::ByHand(self.so_far())
                    } else {
                        WhyOpen::SomeCases
                    },
                )
            }
        }
    }

    /// The points without those that a person has still to give, after the late penalty.
    fn so_far(&self) -> Points {
        let subtasks = self.subtasks.iter().map(SubtaskResult::standing);
        let known: Option<Points> = subtasks.map(Standing::so_far).sum();
        let mut late = self.adjustments.iter().rev().map(|it| it.percent);
        let left = 100_u8.saturating_sub(late.find_map(|it| it).unwrap_or_default());
        known.unwrap_or_default().portion(u64::from(left), 100)
    }

    /// Whether the student is excused from it. Then it earns the same percentage as the other problems, or has no
    /// points if there are no others.
    pub fn is_excused(&self) -> bool {
        let mut kinds = self.adjustments.iter().map(|it| it.kind);
        kinds.any(|kind| kind == AdjustmentKind::Excused)
    }
}

impl StudentResult {
    /// Whether all points are known, with the bonus.
    pub fn standing(&self) -> Standing {
        match (self.standing_without_bonus(), self.standing_of_bonus()) {
            (Standing::Excused, bonus) if !bonus.is_open() => Standing::Excused,
            (points, bonus) => Standing::sum([points, bonus].into_iter()),
        }
    }

    /// Whether the points without the bonus are known.
    pub fn standing_without_bonus(&self) -> Standing {
        self.sum(false)
    }

    /// Whether the bonus points are known.
    pub fn standing_of_bonus(&self) -> Standing {
        self.sum(true)
    }

    fn sum(&self, bonus: bool) -> Standing {
        let problems = self.problems.iter().filter(|it| it.bonus == bonus);
        Standing::sum(problems.map(ProblemResult::standing))
    }
}

impl Results {
    /// The problems that are not scored yet, and why. Points omitted because only some cases are shown do not count.
    pub fn open(&self) -> impl Iterator<Item = (&StudentResult, &ProblemResult, WhyOpen)> {
        let open = self.all_open();
        open.filter(|(.., why)| *why != WhyOpen::SomeCases)
    }

    /// Whether something could not be judged. Points that a person has still to give do not count.
    pub fn has_faults(&self) -> bool {
        let mut open = self.all_open();
        open.any(|(.., why)| why.is_fault())
    }

    fn all_open(&self) -> impl Iterator<Item = (&StudentResult, &ProblemResult, WhyOpen)> {
        let students = self.students.iter();
        let all = students.flat_map(|student| student.problems.iter().map(move |it| (student, it)));
        all.filter_map(|(student, problem)| match problem.standing() {
            Standing::Open(why) => Some((student, problem, why)),
            Standing::Scored(_) | Standing::Excused => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Adjustment, Given, ProblemId, StudentId, Text};

    fn problem(points: Option<u32>, status: Status) -> ProblemResult {
        ProblemResult {
            id: ProblemId::new("p"),
            points: points.map(Points::whole),
            status,
            ..ProblemResult::default()
        }
    }

    fn excused(mut problem: ProblemResult) -> ProblemResult {
        problem.adjustments.push(Adjustment {
            kind: AdjustmentKind::Excused,
            points: problem.points,
            message: Text::plain("excused"),
            percent: None,
            at: None,
        });
        problem
    }

    /// 3 points that were judged, and some that a person has still to give; submitted so late that `percent` are lost.
    fn by_hand(percent: Option<u8>) -> ProblemResult {
        let mut problem = problem(None, Status::Judged);
        let judged = SubtaskResult {
            points: Some(Points::whole(3)),
            ..SubtaskResult::default()
        };
        let manual = SubtaskResult {
            manual: Some(Given::default()),
            ..SubtaskResult::default()
        };
        problem.subtasks = vec![judged, manual];
        problem.adjustments = vec![Adjustment {
            kind: AdjustmentKind::Late,
            points: None,
            message: Text::plain("late"),
            percent,
            at: None,
        }];
        problem
    }

    fn bonus(problem: ProblemResult) -> ProblemResult {
        ProblemResult {
            bonus: true,
            ..problem
        }
    }

    fn student(problems: Vec<ProblemResult>) -> StudentResult {
        StudentResult {
            id: StudentId::new("s"),
            problems,
            ..StudentResult::default()
        }
    }

    #[test]
    fn points_are_open_while_one_problem_is_and_an_excuse_leaves_none_open() {
        let scored = |points| problem(Some(points), Status::Judged);
        let fault = || problem(None, Status::Fault(FaultCause::Grader));
        let unread = || problem(None, Status::Fault(FaultCause::Unreadable));
        let unjudged = || problem(None, Status::NotJudged);
        // Without the bonus, the bonus, both.
        #[rustfmt::skip]
        let table = [
            (vec![], "0 0 0"),
            (vec![scored(3), scored(4), bonus(scored(2))], "7 2 9"),
            (vec![scored(3), fault(), bonus(scored(2))], "? 2 ?"),
            (vec![scored(3), unjudged()], "? 0 ?"),
            (vec![scored(3), bonus(unread())], "3 ? ?"),
            // Corrected by hand: earlier faults do not matter.
            (vec![problem(Some(5), Status::Fault(FaultCause::Grader))], "5 0 5"),
            (vec![excused(scored(3)), scored(4)], "7 0 7"),
            (vec![excused(problem(None, Status::Judged)), fault()], "? 0 ?"),
            (vec![excused(fault()), bonus(scored(2))], "EX 2 EX"),
            (vec![excused(fault()), bonus(unread())], "EX ? ?"),
            (vec![excused(fault()), bonus(by_hand(None))], "EX 3 + ? 3 + ?"),
            // Only points by hand are missing, or something else is, too.
            (vec![scored(4), by_hand(None), bonus(scored(2))], "7 + ? 2 9 + ?"),
            (vec![by_hand(Some(50)), bonus(by_hand(None))], "1.5 + ? 3 + ? 4.5 + ?"),
            (vec![by_hand(None), fault()], "? 0 ?"),
            (vec![by_hand(Some(100)), bonus(unjudged())], "? ? ?"),
        ];
        for (problems, expected) in table {
            let student = student(problems);
            let (points, bonus) = (
                student.standing_without_bonus(),
                student.standing_of_bonus(),
            );
            let found = format!("{points} {bonus} {}", student.standing());
            assert_eq!(found, expected, "{:?}", student.problems);
        }
    }
}

//! A class.

use std::collections::BTreeMap;

use grader_model::{
    AssignmentInfo, Change, ClassId, Host, Isolation, Origin, Points, Results, RunInfo, Standing,
    WhyOpen,
};

use crate::audience::{Audience, Own, Visible};
use crate::group::{GroupView, groups};
use crate::need::{Need, needs};
use crate::student::StudentView;

/// A class, as its reader may see it.
#[derive(Clone, Debug)]
pub struct ClassView<'a> {
    /// The reader.
    pub audience: Audience,
    /// The assignment.
    pub assignment: &'a AssignmentInfo,
    /// The ledger's run.
    pub run: Option<&'a RunInfo>,
    /// The class.
    pub class: Option<&'a ClassId>,
    /// The machine.
    pub host: &'a Host,
    /// Isolation of programs.
    pub isolation: &'a Isolation,
    /// Whether the run was stopped before every student was graded.
    pub interrupted: bool,
    /// The students.
    pub students: Vec<StudentView<'a>>,
    /// Submissions with the same mistake.
    pub groups: Vec<GroupView<'a>>,
    /// What needs a human.
    pub needs: Vec<Need<'a>>,
    /// The mean of each problem. Who submitted nothing counts with 0, who is not scored or excused does not count. While points by
    /// hand are missing, it is that of the points so far.
    pub means: Vec<Option<Standing>>,
    /// The means of the points without the bonus, and of the bonus.
    pub mean_sums: [Option<Standing>; 2],
    /// The statistics of the graded students.
    pub statistics: Statistics,
    /// What was reused; `None` if no earlier run has any of the submissions.
    pub reuse: Option<Reuse<'a>>,
}

/// Points of the graded students, without the bonus; of an assignment that has only bonus points, these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of graded students.
    pub graded: usize,
    /// Number of those of whom only points by hand are missing.
    pub by_hand: usize,
    /// The points of those who are graded, sorted; the excused have none.
    pub points: Vec<Points>,
    /// Mean and median; `None` if nobody has points. While points by hand are missing, they are of the points so far.
    pub averages: Option<[Standing; 2]>,
    /// Number of students with full marks.
    pub full: usize,
}

/// How many results come from earlier runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reuse<'a> {
    /// Number of results that were reused.
    pub reused: usize,
    /// Number of results that were judged, by what had changed; nothing had if the submission is new.
    pub judged: BTreeMap<&'a [Change], usize>,
}

impl Visible<'_> {
    /// The view of these results.
    pub fn view(&self) -> ClassView<'_> {
        match self {
            Self::Staff(results) => ClassView::of(results, Audience::Staff),
            Self::Student(own) => own.view(),
        }
    }
}

impl Own {
    /// The view of these results: a class of one student.
    pub fn view(&self) -> ClassView<'_> {
        ClassView::of(self.results(), Audience::Student)
    }
}

impl<'a> ClassView<'a> {
    fn of(results: &'a Results, audience: Audience) -> Self {
        let info = &results.assignment;
        let students = results.students.iter();
        let students: Vec<_> = students
            .map(|student| StudentView::of(student, &info.problems))
            .collect();
        let nothing = Standing::Scored(Points::ZERO);
        let means = info.problems.iter().map(|info| {
            let problems = students.iter().map(|student| student.problem(&info.id));
            mean_of(problems.map(|problem| problem.map_or(nothing, |it| it.standing)))
        });
        Self {
            audience,
            assignment: info,
            run: results.run.as_ref(),
            class: results.class.as_ref(),
            host: &results.host,
            isolation: &results.isolation,
            interrupted: results.interrupted,
            groups: groups(info.problems.iter().map(|it| &it.id), &students),
            needs: needs(results, &students),
            means: means.collect(),
            mean_sums: [
                mean_of(students.iter().map(|student| student.points)),
                mean_of(students.iter().map(|student| student.bonus)),
            ],
            statistics: statistics(&students, info),
            reuse: reuse(results),
            students,
        }
    }
}

fn statistics(students: &[StudentView<'_>], info: &AssignmentInfo) -> Statistics {
    let is_bonus_only = info.points == Points::ZERO;
    let counted = |it: &StudentView<'_>| if is_bonus_only { it.bonus } else { it.points };
    let full = if is_bonus_only {
        info.bonus
    } else {
        info.points
    };
    let graded = students.iter().filter(|it| !it.standing.is_open());
    let points = graded.clone().filter_map(|it| counted(it).points());
    let mut points: Vec<Points> = points.collect();
    points.sort_unstable();
    let is_counted = |it: &&StudentView<'_>| !it.standing.is_open() || it.standing.is_by_hand();
    let all: Vec<Standing> = students.iter().filter(is_counted).map(counted).collect();
    let averages = average_of(&all, mean).zip(average_of(&all, |points| {
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        median(&sorted)
    }));
    Statistics {
        graded: graded.count(),
        by_hand: students
            .iter()
            .filter(|it| it.standing.is_by_hand())
            .count(),
        averages: averages.map(|(mean, median)| [mean, median]),
        full: points
            .iter()
            .filter(|points| full > Points::ZERO && **points >= full)
            .count(),
        points,
    }
}

fn reuse(results: &Results) -> Option<Reuse<'_>> {
    let mut reuse = Reuse {
        reused: 0,
        judged: BTreeMap::new(),
    };
    let problems = results.students.iter().flat_map(|it| &it.problems);
    for origin in problems.filter_map(|problem| problem.origin.as_ref()) {
        match origin {
            Origin::Reused { .. } => reuse.reused += 1,
            Origin::Ran { because } => *reuse.judged.entry(because).or_default() += 1,
        }
    }
    let is_new = reuse.judged.keys().all(|because| because.is_empty());
    (reuse.reused > 0 || !is_new).then_some(reuse)
}

fn mean_of(standings: impl Iterator<Item = Standing>) -> Option<Standing> {
    average_of(&standings.collect::<Vec<_>>(), mean)
}

/// An average of the points so far; open if a person has still to give some.
fn average_of(
    standings: &[Standing],
    average: impl Fn(&[Points]) -> Option<Points>,
) -> Option<Standing> {
    let points = standings.iter().filter_map(|it| it.so_far());
    let average = average(&points.collect::<Vec<_>>())?;
    Some(if standings.iter().any(|it| it.is_by_hand()) {
        Standing::Open(WhyOpen::ByHand(average))
    } else {
        Standing::Scored(average)
    })
}

/// The mean, rounded half up to a hundredth. `None` of nothing.
pub(crate) fn mean(points: &[Points]) -> Option<Points> {
    let count = points.len() as u64;
    let sum: Points = points.iter().copied().sum();
    let hundredths = (sum.thousandths() + 5 * count).checked_div(10 * count)?;
    Some(Points::from_thousandths(hundredths * 10))
}

/// The median of sorted points; of an even number the mean of the two in the middle.
fn median(sorted: &[Points]) -> Option<Points> {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    mean(sorted.get(middle.checked_sub(1)?..=middle)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_median_are_exact_to_a_hundredth_and_absent_for_nobody() {
        let points = |values: &[u32]| -> Vec<Points> {
            values.iter().map(|value| Points::whole(*value)).collect()
        };
        assert_eq!((mean(&[]), median(&[])), (None, None));
        assert_eq!(mean(&points(&[1, 2, 2])).unwrap().to_string(), "1.67");
        assert_eq!(median(&points(&[1, 2, 9])).unwrap().to_string(), "2");
        assert_eq!(median(&points(&[1, 2, 3, 9])).unwrap().to_string(), "2.5");
    }
}

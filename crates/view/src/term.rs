//! The table of a term.

use std::collections::BTreeMap;

use grader_model::{
    AssignmentInfo, Person, Points, Results, Standing, StudentId, StudentResult, WhyOpen,
    natural_order,
};

use crate::class::mean;

/// A part of the grade, with the results of its classes.
#[derive(Clone, Debug)]
pub struct TermPart<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it counts, compared with the other parts.
    pub weight: u32,
    /// How many of each student's lowest assignments do not count.
    pub drop_lowest: usize,
    /// The results, one for each assignment.
    pub classes: Vec<&'a Results>,
}

/// The table of a term.
#[derive(Clone, Debug)]
pub struct TermView<'a> {
    /// The names of the parts, with their assignments.
    pub parts: Vec<(&'a str, Vec<&'a AssignmentInfo>)>,
    /// Late days that each student may use.
    pub late_days: u32,
    /// The students, in natural order of their ids.
    pub students: Vec<TermStudent<'a>>,
}

/// A student's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermStudent<'a> {
    /// The student.
    pub id: &'a StudentId,
    /// Name and address.
    pub person: Option<&'a Person>,
    /// One for each part: a cell for each assignment, and the mean of those that count, rounded half up to a hundredth. It is
    /// open while one of them is.
    pub parts: Vec<(Vec<TermCell>, Standing)>,
    /// The late days that the student used.
    pub late_days: u32,
    /// The percentage of the term, rounded half up to a hundredth.
    pub total: Standing,
}

/// What a student earned in an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCell {
    /// The percentage, with the bonus, rounded half up to a hundredth; the bonus points of an assignment that has no others.
    /// `None` if the student is not in the class, which counts as 0.
    pub percent: Option<Standing>,
    /// Whether the assignment has only bonus points: there is no percentage, and it does not count.
    pub is_bonus_only: bool,
    /// Whether it is one of the lowest, which do not count.
    pub is_dropped: bool,
}

impl<'a> TermView<'a> {
    /// The table of these parts, with the late days that students used, of so many.
    pub fn of(parts: &[TermPart<'a>], used: &BTreeMap<StudentId, u32>, late_days: u32) -> Self {
        let classes = parts.iter().flat_map(|part| &part.classes);
        let students = classes.clone().flat_map(|class| &class.students);
        let mut people: Vec<(&StudentId, Option<&Person>)> = Vec::new();
        for StudentResult { id, person, .. } in students {
            match people.iter_mut().find(|(known, _)| *known == id) {
                Some((_, known)) => *known = known.or(person.as_ref()),
                None => people.push((id, person.as_ref())),
            }
        }
        people.sort_by(|(a, _), (b, _)| natural_order(a.as_str(), b.as_str()));
        let of_part = |part: &TermPart<'a>| {
            let classes = part.classes.iter();
            (part.name, classes.map(|class| &class.assignment).collect())
        };
        let row = |(id, person): (&'a StudentId, Option<&'a Person>)| {
            let own: Vec<_> = parts.iter().map(|part| row(id, part)).collect();
            TermStudent {
                id,
                person,
                total: total(parts, &own),
                parts: own,
                late_days: used.get(id).copied().unwrap_or_default(),
            }
        };
        Self {
            parts: parts.iter().map(of_part).collect(),
            late_days,
            students: people.into_iter().map(row).collect(),
        }
    }
}

/// A student's cells in a part, and the mean of those that count.
fn row(id: &StudentId, part: &TermPart<'_>) -> (Vec<TermCell>, Standing) {
    let classes = part.classes.iter();
    let mut cells: Vec<TermCell> = classes.map(|class| cell(id, class)).collect();
    let counted = cells.iter().enumerate();
    let counted = counted.filter_map(|(at, cell)| Some((cell.counted()?, at)));
    let mut counted: Vec<(Points, usize)> = counted.collect();
    counted.sort_unstable();
    let dropped = part.drop_lowest.min(counted.len().saturating_sub(1));
    for (_, at) in counted.drain(..dropped) {
        cells[at].is_dropped = true;
    }
    let counted: Vec<Points> = counted.into_iter().map(|(percent, _)| percent).collect();
    let mean = standing(&cells, mean(&counted));
    (cells, mean)
}

/// What is known of a number that is made of these cells: nothing while one of them is not known; while only points by hand are
/// missing, what it is so far. Without the number, the student is excused.
fn standing<'a>(cells: impl IntoIterator<Item = &'a TermCell>, number: Option<Points>) -> Standing {
    let counting = cells.into_iter().filter(|cell| !cell.is_bonus_only);
    let open = counting.filter_map(|cell| cell.percent.filter(|it| it.is_open()));
    let (by_hand, open): (Vec<_>, Vec<_>) = open.partition(|it| it.is_by_hand());
    match (open.first(), number) {
        (Some(open), _) => *open,
        (None, None) => Standing::Excused,
        (None, Some(so_far)) if !by_hand.is_empty() => Standing::Open(WhyOpen::ByHand(so_far)),
        (None, Some(points)) => Standing::Scored(points),
    }
}

/// The mean of the parts' means by their weights. Parts that the student is excused from do not count.
fn total(parts: &[TermPart<'_>], own: &[(Vec<TermCell>, Standing)]) -> Standing {
    let (mut sum, mut weights) = (0, 0);
    for (part, (_, mean)) in parts.iter().zip(own) {
        if let Some(mean) = mean.so_far() {
            let weight = u64::from(part.weight);
            sum += mean.thousandths() * weight;
            weights += weight;
        }
    }
    standing(
        own.iter().flat_map(|(cells, _)| cells),
        rounded(sum, weights),
    )
}

fn cell(id: &StudentId, class: &Results) -> TermCell {
    let student = class.students.iter().find(|it| it.id == *id);
    let most = class.assignment.points.thousandths();
    let percent = |points: Points| rounded(points.thousandths() * 100_000, most).unwrap_or(points);
    let standing = student.map(StudentResult::standing);
    let percent = standing.map(|standing| match standing {
        Standing::Scored(points) => Standing::Scored(percent(points)),
        Standing::Open(WhyOpen::ByHand(so_far)) => Standing::Open(WhyOpen::ByHand(percent(so_far))),
        Standing::Open(_) | Standing::Excused => standing,
    });
    TermCell {
        percent,
        is_bonus_only: most == 0,
        is_dropped: false,
    }
}

impl TermCell {
    /// What enters the mean: the points so far. `None` if the student is excused, it is open or has no percentage.
    fn counted(&self) -> Option<Points> {
        if self.is_bonus_only {
            return None;
        }
        self.percent.map_or(Some(Points::ZERO), Standing::so_far)
    }
}

/// A quotient in thousandths, rounded half up to a hundredth; `None` if the divisor is 0.
fn rounded(thousandths: u64, divisor: u64) -> Option<Points> {
    let hundredths = (thousandths + 5 * divisor).checked_div(10 * divisor)?;
    Some(Points::from_thousandths(hundredths * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_known_if_everything_in_it_is() {
        let points = |n: u64| Points::from_thousandths(1000 * n);
        let cell = |percent| TermCell {
            percent,
            is_bonus_only: false,
            is_dropped: false,
        };
        let scored = cell(Some(Standing::Scored(points(80))));
        let by_hand = cell(Some(Standing::Open(WhyOpen::ByHand(points(40)))));
        let unknown = cell(Some(Standing::Open(WhyOpen::NotJudged)));
        let excused = cell(Some(Standing::Excused));
        let bonus = TermCell {
            is_bonus_only: true,
            ..unknown
        };
        let mean = points(60);
        let so_far = Standing::Open(WhyOpen::ByHand(mean));
        let cases: [(&[TermCell], Option<Points>, Standing); 5] = [
            (
                &[scored, cell(None), bonus],
                Some(mean),
                Standing::Scored(mean),
            ),
            (&[scored, by_hand], Some(mean), so_far),
            (
                &[by_hand, unknown, scored],
                Some(mean),
                Standing::Open(WhyOpen::NotJudged),
            ),
            (&[unknown], None, Standing::Open(WhyOpen::NotJudged)),
            (&[excused], None, Standing::Excused),
        ];
        for (cells, mean, expected) in cases {
            assert_eq!(standing(cells, mean), expected);
        }
    }
}

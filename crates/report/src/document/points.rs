//! The table of students and problems.

use grader_model::{Points as Number, Standing, WhyOpen};
use grader_view::{ClassView, ProblemView, StudentView};

use super::Block;
use crate::style::{Tone, safe};
use crate::words::Words;

/// A row for each student, and one of means. Each format says which of its words stand above and below.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// The head of the students' ids.
    pub(crate) head: String,
    /// The id of each student, and the name if it is another.
    pub(crate) students: Vec<(String, String)>,
    pub(crate) mean: String,
    pub(crate) columns: Vec<Column>,
}

/// A problem or a sum.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Its name, and full points.
    pub(crate) head: [String; 2],
    /// A cell for each student.
    pub(crate) cells: Vec<PointsCell>,
    pub(crate) mean: PointsCell,
    /// Whether codes stand after the numbers.
    pub(crate) has_codes: bool,
}

/// Points, with the code of a verdict and marks after them; or a sign in their place.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointsCell {
    pub(crate) number: String,
    pub(crate) code: &'static str,
    pub(crate) marks: String,
    pub(crate) tone: Option<Tone>,
}

impl PointsCell {
    fn of(number: impl Into<String>, tone: Option<Tone>) -> Self {
        Self {
            number: number.into(),
            tone,
            ..Self::default()
        }
    }

    /// `16 PC L`.
    pub(crate) fn text(&self) -> String {
        let points = format!("{} {}", self.number, self.code);
        let points = points.trim_end();
        let points = self
            .tone
            .map_or_else(|| points.to_owned(), |it| it.on(points));
        format!("{points} {}", self.marks).trim_end().to_owned()
    }
}

pub(super) fn points(class: &ClassView<'_>, words: Words) -> Block {
    let students = class.students.iter().map(|it| {
        let name = it.name().unwrap_or_default();
        (safe(it.id.as_str()), safe(name))
    });
    Block::Points(Points {
        head: Tone::Strong.on(words.student()),
        students: students.collect(),
        mean: Tone::Faint.on(words.mean()),
        columns: columns(class, words),
    })
}

/// A column for each problem, the total and the bonus.
pub(crate) fn columns(class: &ClassView<'_>, words: Words) -> Vec<Column> {
    let (info, students) = (class.assignment, &class.students);
    let column = |name: &str, most: Number, bonus: bool, mean: Option<Standing>| Column {
        head: [
            Tone::Strong.on(name),
            Tone::Faint.on(words.most(most, bonus)),
        ],
        cells: Vec::new(),
        mean: PointsCell::of(Words::mean_of(mean), Some(Tone::Faint)),
        has_codes: false,
    };
    let problems = info.problems.iter().zip(&class.means);
    let problems = problems.map(|(problem, mean)| Column {
        cells: students
            .iter()
            .map(|it| cell(it.problem(&problem.id)))
            .collect(),
        has_codes: true,
        ..column(
            &safe(problem.id.as_str()),
            problem.points,
            problem.bonus,
            *mean,
        )
    });
    let sum = |name, most, bonus, mean| Column {
        cells: students.iter().map(|it| sum(it, bonus)).collect(),
        ..column(name, most, bonus, mean)
    };
    let [points, bonus] = class.mean_sums;
    let total = sum(words.total(), info.points, false, points);
    let bonus = (info.bonus > Number::ZERO).then(|| sum(words.bonus(), info.bonus, true, bonus));
    problems.chain([total]).chain(bonus).collect()
}

fn sum(student: &StudentView<'_>, bonus: bool) -> PointsCell {
    let sum = if bonus { student.bonus } else { student.points };
    let tone = match sum {
        Standing::Open(WhyOpen::ByHand(_)) => Some(Tone::Partial),
        Standing::Open(_) => Some(Tone::Fail),
        Standing::Scored(_) | Standing::Excused => None,
    };
    PointsCell::of(sum.to_string(), tone)
}

fn cell(problem: Option<&ProblemView<'_>>) -> PointsCell {
    let Some((problem, cell)) = problem.and_then(|it| Some((it, it.cell()?))) else {
        return PointsCell::of("—", Some(Tone::Faint));
    };
    let code = cell.code.unwrap_or_default();
    let (number, code) = match cell.points {
        Some(points) => (points.to_string(), code),
        None => (code.to_owned(), ""),
    };
    PointsCell {
        number,
        code,
        marks: Words::marks(cell.marks),
        tone: Some(Tone::of_status(problem.status, problem.verdict)),
    }
}

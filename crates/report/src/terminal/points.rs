//! The table of students and problems.

use grader_model::{Points, ProblemResult, Results, Status, StudentResult, Verdict};

use super::class::mean;
use crate::layout::{Page, right, table, width};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// One column: two lines of a head, a cell for every student, and the mean.
type Column = Vec<String>;

/// Draws the table, in several pieces if the terminal is too narrow for one.
pub(super) fn points(page: &mut Page, results: &Results, style: &Style) {
    let students = results.students.iter();
    let mut names = vec![
        Tone::Strong.on(style.words().say(Phrase::Student)),
        String::new(),
    ];
    names.extend(students.map(|student| safe(student.id.as_str())));
    names.push(Tone::Faint.on(style.pick("mean", "平均")));
    let mut piece = vec![names.clone()];
    for column in columns(results, style) {
        piece.push(column);
        if line_width(&piece) > style.columns() && piece.len() > 2 {
            let column = piece.pop();
            draw(page, &piece, style);
            page.gap();
            piece = vec![names.clone()];
            piece.extend(column);
        }
    }
    draw(page, &piece, style);
}

fn rows(columns: &[Column]) -> Vec<Vec<String>> {
    let height = columns.first().map_or(0, Vec::len);
    let row = |index: usize| columns.iter().map(move |column| column[index].clone());
    (0..height).map(|index| row(index).collect()).collect()
}

fn line_width(columns: &[Column]) -> usize {
    let widest = |column: &Column| column.iter().map(|cell| width(cell)).max().unwrap_or(0);
    columns
        .iter()
        .map(|column| widest(column) + 2)
        .sum::<usize>()
        - 2
}

fn draw(page: &mut Page, columns: &[Column], style: &Style) {
    let rule = if style.unicode { "─" } else { "-" }.repeat(line_width(columns));
    for (index, line) in table(&rows(columns), &[]).iter().enumerate() {
        if index == 2 {
            page.raw(0, &rule);
        }
        page.raw(0, line);
    }
}

fn columns(results: &Results, style: &Style) -> Vec<Column> {
    let info = &results.assignment;
    let words = style.words();
    let of = |name: &str, most: Points, bonus, cell: &dyn Fn(&StudentResult) -> Cell| {
        let head = [
            Tone::Strong.on(name),
            Tone::Faint.on(words.at_most(most, bonus)),
        ];
        column(head, results.students.iter().map(cell).collect())
    };
    let problems = info.problems.iter().map(|problem| {
        of(
            &safe(problem.id.as_str()),
            problem.points,
            problem.bonus,
            &|student: &StudentResult| {
                let mut problems = student.problems.iter();
                let result = problems.find(|result| result.id == problem.id);
                result.map_or_else(Cell::absent, Cell::of)
            },
        )
    });
    let mut columns: Vec<Column> = problems.collect();
    let sum = |points: Option<Points>, student: &StudentResult, bonus| match points {
        Some(points) => Cell::of_points(points, "", None),
        None => Cell::open(why_open(student, bonus)),
    };
    columns.push(of(
        words.say(Phrase::Total),
        info.points,
        false,
        &|student: &StudentResult| sum(student.points(), student, false),
    ));
    if info.bonus > Points::ZERO {
        columns.push(of(
            words.say(Phrase::Bonus),
            info.bonus,
            true,
            &|student: &StudentResult| sum(student.bonus(), student, true),
        ));
    }
    columns
}

/// Why a sum is open: a fault counts more than a submission that was not judged yet.
fn why_open(student: &StudentResult, bonus: bool) -> Verdict {
    let open = |problem: &&ProblemResult| problem.bonus == bonus && problem.points.is_none();
    let mut open = student.problems.iter().filter(open);
    if open.all(|problem| problem.status == Status::NotJudged) {
        Verdict::Skipped
    } else {
        Verdict::JudgeError
    }
}

/// What stands in a cell: a number, or a mark instead, and the verdict after it.
struct Cell {
    number: String,
    code: &'static str,
    tone: Option<Tone>,
    /// What counts for the mean.
    points: Option<Points>,
}

impl Cell {
    fn of(problem: &ProblemResult) -> Self {
        match problem.points {
            None => Self::open(problem.verdict),
            Some(_) if problem.status == Status::NotSubmitted => Self::absent(),
            Some(points) => {
                let verdict = problem.verdict;
                let is_plain = verdict == Verdict::Accepted;
                let code = if is_plain { "" } else { verdict.code() };
                Self::of_points(points, code, Some(Tone::of(verdict)))
            }
        }
    }

    fn of_points(points: Points, code: &'static str, tone: Option<Tone>) -> Self {
        Self {
            number: points.to_string(),
            code,
            tone,
            points: Some(points),
        }
    }

    /// Nothing was submitted.
    fn absent() -> Self {
        Self {
            number: "—".to_owned(),
            code: "",
            tone: Some(Tone::Faint),
            points: Some(Points::ZERO),
        }
    }

    /// Points that are not known yet.
    fn open(verdict: Verdict) -> Self {
        Self {
            number: verdict.code().to_owned(),
            code: "",
            tone: Some(Tone::of(verdict)),
            points: None,
        }
    }
}

/// A column whose numbers stand under each other, with the verdicts after them.
fn column(head: [String; 2], cells: Vec<Cell>) -> Column {
    let known: Vec<Points> = cells.iter().filter_map(|cell| cell.points).collect();
    let mean = mean(&known).map_or_else(|| "—".to_owned(), |mean| mean.to_string());
    let numbers = cells.iter().map(|cell| width(&cell.number));
    let widest = numbers.chain([width(&mean)]).max().unwrap_or(0);
    let mut column: Column = head.into();
    column.extend(cells.iter().map(|cell| {
        let text = format!("{} {}", right(&cell.number, widest), cell.code);
        let text = text.trim_end();
        cell.tone
            .map_or_else(|| text.to_owned(), |tone| tone.on(text))
    }));
    column.push(Tone::Faint.on(right(&mean, widest)));
    column
}

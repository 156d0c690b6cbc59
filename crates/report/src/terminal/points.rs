//! The table of students and problems.

use grader_model::{Points, ProblemResult, Results, Status, StudentResult, Verdict};

use super::class::mean;
use crate::layout::{Page, right, table, width};
use crate::style::{Style, Tone, safe};

/// One column: two lines of a head, a cell for every student, and the mean.
type Column = Vec<String>;

/// Draws the table, in several pieces if the terminal is too narrow for one.
pub(super) fn points(page: &mut Page, results: &Results) {
    let style = &page.style();

    let mut names = vec![
        Tone::Strong.on(style.pick("student", "学生")),
        String::new(),
    ];
    names.extend(results.students.iter().map(|it| safe(it.id.as_str())));
    names.push(Tone::Faint.on(style.pick("mean", "平均")));
    let mut piece = vec![names.clone()];
    for column in columns(results, style) {
        piece.push(column);
        if lines(&piece).1 > style.columns() && piece.len() > 2 {
            let column = piece.pop();
            draw(page, &piece);
            page.gap();
            piece = vec![names.clone()];
            piece.extend(column);
        }
    }
    draw(page, &piece);
}

/// The lines of a table of these columns, and the width of the longest.
fn lines(columns: &[Column]) -> (Vec<String>, usize) {
    let row = |index: usize| columns.iter().map(|it| it[index].clone()).collect();
    let rows: Vec<Vec<String>> = (0..columns[0].len()).map(row).collect();
    let lines = table(&rows, &[]);
    let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    (lines, widest.saturating_sub(2))
}

fn draw(page: &mut Page, columns: &[Column]) {
    let style = &page.style();

    let (lines, width) = lines(columns);
    let rule = if style.unicode { "─" } else { "-" }.repeat(width);
    for (index, line) in lines.iter().enumerate() {
        if index == 2 {
            page.raw(0, &rule);
        }
        page.raw(0, line);
    }
}

fn columns(results: &Results, style: &Style) -> Vec<Column> {
    let info = &results.assignment;
    let column = |name: &str, most, bonus, cell: &dyn Fn(&StudentResult) -> Cell| {
        let cells: Vec<Cell> = results.students.iter().map(cell).collect();
        let head = [
            Tone::Strong.on(name),
            Tone::Faint.on(style.at_most(most, bonus)),
        ];
        aligned(head, &cells)
    };
    let mut columns = Vec::new();
    for problem in &info.problems {
        let cell = |student: &StudentResult| {
            let mut problems = student.problems.iter();
            let result = problems.find(|result| result.id == problem.id);
            result.map_or_else(Cell::absent, Cell::of)
        };
        let name = safe(problem.id.as_str());
        columns.push(column(&name, problem.points, problem.bonus, &cell));
    }
    let total = |student: &StudentResult| Cell::sum(student.points(), student, false);
    columns.push(column(
        style.pick("total", "总分"),
        info.points,
        false,
        &total,
    ));
    if info.bonus > Points::ZERO {
        let bonus = |student: &StudentResult| Cell::sum(student.bonus(), student, true);
        columns.push(column(
            style.pick("bonus", "附加"),
            info.bonus,
            true,
            &bonus,
        ));
    }
    columns
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
        let verdict = problem.verdict;
        match problem.points {
            None => Self::open(verdict),
            Some(_) if problem.status == Status::NotSubmitted => Self::absent(),
            Some(points) => Self {
                number: points.to_string(),
                code: if verdict == Verdict::Accepted {
                    ""
                } else {
                    verdict.code()
                },
                tone: Some(Tone::of(verdict)),
                points: Some(points),
            },
        }
    }

    /// A sum. If it is open, a fault counts more than a submission that was not judged yet.
    fn sum(points: Option<Points>, student: &StudentResult, bonus: bool) -> Self {
        let is_open = |it: &&ProblemResult| it.bonus == bonus && it.points.is_none();
        let mut open = student.problems.iter().filter(is_open);
        match points {
            Some(points) => Self {
                number: points.to_string(),
                code: "",
                tone: None,
                points: Some(points),
            },
            None if open.all(|it| it.status == Status::NotJudged) => Self::open(Verdict::Skipped),
            None => Self::open(Verdict::JudgeError),
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
fn aligned(head: [String; 2], cells: &[Cell]) -> Column {
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

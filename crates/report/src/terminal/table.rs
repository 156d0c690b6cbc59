//! The table of students and problems.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use grader_model::{Points, ProblemInfo, ProblemResult, Results, StudentResult, Verdict};

use super::class::mean;
use super::{is_submitted, not_judged};
use crate::layout::{Page, blanks, right, width};
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// One column: the lines of its head and a cell for every student, and for the mean.
struct Column {
    head: Vec<String>,
    cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        let head = self.head.iter().map(|line| width(line));
        head.chain(self.cells.iter().map(|cell| width(cell)))
            .max()
            .unwrap_or(0)
            + GAP
    }
}

/// Blanks between two columns.
const GAP: usize = 3;

/// Draws the table; in several pieces under each other where the terminal is too narrow for one.
pub(super) fn table(page: &mut Page, results: &Results, style: &Style) {
    let names = name_column(results, style);
    // After the last column there is no gap.
    let room = (style.columns() + GAP).saturating_sub(names.width());
    let mut wide = columns(results, style, false);
    if wide.iter().map(Column::width).sum::<usize>() > room {
        wide = columns(results, style, true);
    }
    let mut piece: Vec<Column> = Vec::new();
    let mut used = 0;
    for column in wide {
        if !piece.is_empty() && used + column.width() > room {
            draw(page, &names, &piece, style);
            page.gap();
            piece.clear();
            used = 0;
        }
        used += column.width();
        piece.push(column);
    }
    draw(page, &names, &piece, style);
}

fn draw(page: &mut Page, names: &Column, columns: &[Column], style: &Style) {
    let rule = if style.unicode { '─' } else { '-' };
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill(rule)))
        .set_content_arrangement(ContentArrangement::Disabled);
    let all = || std::iter::once(names).chain(columns);
    // The last line of every head says what is in the column at most: they stand side by side.
    let height = all().map(|column| column.head.len()).max().unwrap_or(0);
    table.set_header(all().map(|column| {
        let above = "\n".repeat(height - column.head.len());
        format!("{above}{}", column.head.join("\n"))
    }));
    for row in 0..names.cells.len() {
        table.add_row(all().map(|column| column.cells[row].as_str()));
    }
    let last = columns.len();
    for (index, column) in table.column_iter_mut().enumerate() {
        let after = if index == last { 0 } else { GAP as u16 };
        column.set_padding((0, after));
    }
    for line in table.lines() {
        page.raw(0, &line);
    }
}

fn name_column(results: &Results, style: &Style) -> Column {
    let words = style.words();
    let mut cells: Vec<String> = results
        .students
        .iter()
        .map(|student| safe(student.id.as_str()))
        .collect();
    cells.push(Tone::Faint.on(words.say(Phrase::Mean)));
    Column {
        head: vec![Tone::Strong.on(words.say(Phrase::Student)), String::new()],
        cells,
    }
}

fn columns(results: &Results, style: &Style, narrow: bool) -> Vec<Column> {
    let words = style.words();
    let info = &results.assignment;
    let mut columns: Vec<Column> = info
        .problems
        .iter()
        .map(|problem| problem_column(results, problem, style, narrow))
        .collect();
    let sum = |phrase, most, bonus, points: &dyn Fn(&StudentResult) -> Option<Points>| {
        let marks = results
            .students
            .iter()
            .map(|student| match points(student) {
                Some(points) => Mark::Plain(points),
                None => Mark::Open(why_open(student, bonus)),
            })
            .collect();
        let head = vec![Tone::Strong.on(words.say(phrase))];
        column(head, words.at_most(most, bonus), marks)
    };
    columns.push(sum(
        Phrase::Total,
        info.points,
        false,
        &StudentResult::points,
    ));
    if info.bonus > Points::ZERO {
        columns.push(sum(Phrase::Bonus, info.bonus, true, &StudentResult::bonus));
    }
    columns
}

fn problem_column(results: &Results, info: &ProblemInfo, style: &Style, narrow: bool) -> Column {
    let marks = results
        .students
        .iter()
        .map(|student| {
            let problem = student.problems.iter().find(|p| p.id == info.id);
            problem.map_or(Mark::Absent, Mark::of)
        })
        .collect();
    let name = safe(info.id.as_str());
    let head = if narrow {
        name.split_inclusive('-')
            .map(|part| Tone::Strong.on(part))
            .collect()
    } else {
        vec![Tone::Strong.on(name)]
    };
    column(head, style.words().at_most(info.points, info.bonus), marks)
}

/// Why the points of a student are open: a fault before a submission that was only not judged.
fn why_open(student: &StudentResult, bonus: bool) -> Verdict {
    let mut open = student
        .problems
        .iter()
        .filter(|problem| problem.bonus == bonus && problem.points.is_none());
    if open.all(not_judged) {
        Verdict::Skipped
    } else {
        Verdict::JudgeError
    }
}

/// What stands in a cell.
#[derive(Clone, Copy)]
enum Mark {
    /// Points of a problem, with its verdict.
    Points(Points, Verdict),
    /// Points of several problems.
    Plain(Points),
    /// Nothing submitted.
    Absent,
    /// Not graded, by a fault or because the run was interrupted.
    Open(Verdict),
}

impl Mark {
    fn of(problem: &ProblemResult) -> Self {
        match problem.points {
            None => Self::Open(problem.verdict),
            Some(_) if !is_submitted(problem) => Self::Absent,
            Some(points) => Self::Points(points, problem.verdict),
        }
    }

    /// The number, what stands after it, and the tone of both.
    fn shown(self) -> (String, &'static str, Option<Tone>) {
        match self {
            Self::Points(points, verdict) => {
                let code = match verdict {
                    Verdict::Accepted => "",
                    Verdict::PartiallyCorrect
                    | Verdict::PresentationError
                    | Verdict::WrongAnswer
                    | Verdict::TimeLimit
                    | Verdict::MemoryLimit
                    | Verdict::OutputLimit
                    | Verdict::RuntimeError
                    | Verdict::CompileError
                    | Verdict::Skipped
                    | Verdict::JudgeError => verdict.code(),
                };
                (points.to_string(), code, Some(Tone::of(verdict)))
            }
            Self::Plain(points) => (points.to_string(), "", None),
            Self::Absent => ("—".to_owned(), "", Some(Tone::Faint)),
            Self::Open(verdict) => (verdict.code().to_owned(), "", Some(Tone::of(verdict))),
        }
    }

    const fn points(self) -> Option<Points> {
        match self {
            Self::Points(points, _) | Self::Plain(points) => Some(points),
            Self::Absent => Some(Points::ZERO),
            Self::Open(_) => None,
        }
    }
}

fn column(mut head: Vec<String>, most: String, marks: Vec<Mark>) -> Column {
    head.push(Tone::Faint.on(most));
    let graded: Vec<Points> = marks.iter().filter_map(|mark| mark.points()).collect();
    let mean = mean(&graded).map_or_else(|| "—".to_owned(), |mean| mean.to_string());
    let shown: Vec<_> = marks.into_iter().map(Mark::shown).collect();
    let numbers = shown.iter().map(|(number, ..)| width(number));
    let number_width = numbers.chain([width(&mean)]).max().unwrap_or(0);
    let mut cells: Vec<String> = shown
        .into_iter()
        .map(|(number, code, tone)| {
            let padding = blanks(number_width - width(&number));
            let text = format!("{number} {code}");
            let text = text.trim_end();
            let text = tone.map_or_else(|| text.to_owned(), |tone| tone.on(text));
            format!("{padding}{text}")
        })
        .collect();
    cells.push(Tone::Faint.on(right(&mean, number_width)));
    Column { head, cells }
}

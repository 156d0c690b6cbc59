//! The table of students and problems.

use grader_model::{Points, Standing, WhyOpen};
use grader_view::{ClassView, ProblemView, StudentView};

use crate::layout::{Page, blanks, cut, left, table, width};
use crate::style::{Style, Tone, safe};

/// One column: two lines of a head, a cell for every student, and the mean.
pub(crate) type Column = Vec<String>;

/// Most columns of a name; the rest of a longer one is cut off.
const MAX_NAME_WIDTH: usize = 24;
/// With less room for names the table has none.
const MIN_NAME_WIDTH: usize = 8;

/// A blank and a verdict's code.
const CODE_WIDTH: usize = 4;

/// Draws the table, in several pieces if the terminal is too narrow for one.
pub(super) fn points(page: &mut Page, class: &ClassView<'_>) {
    let style = &page.style();
    let student = style.pick("student", "学生");
    let mut ids = vec![Tone::Strong.on(student), String::new()];
    ids.extend(class.students.iter().map(|it| safe(it.id.as_str())));
    ids.push(Tone::Faint.on(style.pick("mean", "平均")));
    let columns = columns(class, style);
    // A column without text is left out.
    let mut names = vec![String::new(); ids.len()];
    let whole: Vec<Column> = [&ids, &names]
        .into_iter()
        .chain(&columns)
        .cloned()
        .collect();
    let room = style.columns().saturating_sub(lines(&whole).1 + 2);
    if room >= MIN_NAME_WIDTH {
        for (cell, student) in names[2..].iter_mut().zip(&class.students) {
            let name = student.name().unwrap_or_default();
            *cell = cut(&safe(name), room.min(MAX_NAME_WIDTH));
        }
    }
    let who = [ids, names];
    let mut piece = who.to_vec();
    for column in columns {
        piece.push(column);
        if lines(&piece).1 > style.columns() && piece.len() > who.len() + 1 {
            let column = piece.pop();
            draw(page, &piece);
            page.gap();
            piece = who.to_vec();
            piece.extend(column);
        }
    }
    draw(page, &piece);
    if let Some(legend) = style.legend(class) {
        page.line(0, &Tone::Faint.on(legend));
    }
}

/// The lines of a table of these columns, of which those that say who it is stand at the left; and the width of the longest.
fn lines(columns: &[Column]) -> (Vec<String>, usize) {
    let row = |index: usize| columns.iter().map(|it| it[index].clone()).collect();
    let rows: Vec<Vec<String>> = (0..columns[0].len()).map(row).collect();
    let numbers: Vec<usize> = (2..columns.len()).collect();
    let lines = table(&rows, &numbers);
    let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    (lines, widest.saturating_sub(2))
}

fn draw(page: &mut Page, columns: &[Column]) {
    let (lines, width) = lines(columns);
    for (index, line) in lines.iter().enumerate() {
        if index == 2 {
            page.raw(0, &"─".repeat(width));
        }
        page.raw(0, line);
    }
}

/// A column for each problem, the total and the bonus.
pub(crate) fn columns(class: &ClassView<'_>, style: &Style) -> Vec<Column> {
    let (info, students) = (class.assignment, &class.students);
    let head = |name: &str, most: Points, bonus: bool| {
        vec![
            Tone::Strong.on(name),
            Tone::Faint.on(style.most(most, bonus)),
        ]
    };
    let mut columns = Vec::new();
    for (problem, mean) in info.problems.iter().zip(&class.means) {
        let mut column = head(&safe(problem.id.as_str()), problem.points, problem.bonus);
        let problems = || students.iter().map(|it| it.problem(&problem.id));
        let marks = problems()
            .flatten()
            .map(|it| Style::marks(it.marks()).len());
        let marks = marks.max().filter(|width| *width > 0);
        let code_width = CODE_WIDTH + marks.map_or(0, |width| width + 1);
        column.extend(problems().map(|it| cell(it, code_width)));
        column.push(Tone::Faint.on(Style::mean(*mean)) + &blanks(code_width));
        columns.push(column);
    }
    let sum = |name: &str, most, bonus, mean| {
        let mut column = head(name, most, bonus);
        let standing = |it: &StudentView<'_>| if bonus { it.bonus } else { it.points };
        column.extend(students.iter().map(standing).map(|sum| match sum {
            Standing::Open(WhyOpen::ByHand(_)) => Tone::Partial.on(sum.to_string()),
            Standing::Open(_) => Tone::Fail.on(sum.to_string()),
            Standing::Scored(_) | Standing::Excused => sum.to_string(),
        }));
        column.push(Tone::Faint.on(Style::mean(mean)));
        column
    };
    let [points, bonus] = class.mean_sums;
    columns.push(sum(style.pick("total", "总分"), info.points, false, points));
    if info.bonus > Points::ZERO {
        columns.push(sum(style.pick("bonus", "附加"), info.bonus, true, bonus));
    }
    columns
}

/// The points of a problem with the verdict after them, or a mark instead. Numbers stand under each other if the column
/// is right-aligned.
fn cell(problem: Option<&ProblemView<'_>>, code_width: usize) -> String {
    let Some((problem, cell)) = problem.and_then(|it| Some((it, it.cell()?))) else {
        return left(&Tone::Faint.on("—"), 1 + code_width);
    };
    let code = cell.code.unwrap_or_default();
    let (number, code) = match cell.points {
        Some(points) => (points.to_string(), code),
        None => (code.to_owned(), ""),
    };
    let tone = Tone::of_status(problem.status, problem.verdict);
    let text = tone.on(format!("{number} {code}").trim_end());
    let text = format!("{text} {}", Style::marks(cell.marks));
    left(text.trim_end(), width(&number) + code_width)
}

//! The table of students and problems.

use grader_model::{Points, ProblemResult, Results, Standing, StudentResult, Verdict};

use super::submission::code;
use crate::layout::{Page, blanks, left, table, width};
use crate::style::{Style, Tone, safe};

/// One column: two lines of a head, a cell for every student, and the mean.
pub(crate) type Column = Vec<String>;

/// A blank and a verdict's code.
const CODE_WIDTH: usize = 4;

/// Draws the table, in several pieces if the terminal is too narrow for one.
pub(super) fn points(page: &mut Page, results: &Results) {
    let style = &page.style();
    let student = style.pick("student", "学生");
    let mut names = vec![Tone::Strong.on(student), String::new()];
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

/// The lines of a table of these columns, of which the first stands at the left; and the width of the longest.
fn lines(columns: &[Column]) -> (Vec<String>, usize) {
    let row = |index: usize| columns.iter().map(|it| it[index].clone()).collect();
    let rows: Vec<Vec<String>> = (0..columns[0].len()).map(row).collect();
    let numbers: Vec<usize> = (1..columns.len()).collect();
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
pub(crate) fn columns(results: &Results, style: &Style) -> Vec<Column> {
    let (info, students) = (&results.assignment, &results.students);
    let head = |name: &str, most: Points, bonus: bool| {
        let of = style.pick(format!("of {most}"), format!("{most} 分"));
        let most = if bonus { format!("+{most}") } else { of };
        vec![Tone::Strong.on(name), Tone::Faint.on(most)]
    };
    let mut columns = Vec::new();
    for problem in &info.problems {
        let mut column = head(&safe(problem.id.as_str()), problem.points, problem.bonus);
        let results = students.iter().map(|student| student.problem(&problem.id));
        column.extend(results.clone().map(cell));
        // Who submitted nothing counts with 0.
        let points = results.map(|it| it.map_or(Some(Points::ZERO), |it| it.standing().points()));
        column.push(mean_cell(points) + &blanks(CODE_WIDTH));
        columns.push(column);
    }
    let mut sum = |name: &str, most, bonus, of: fn(&StudentResult) -> Standing| {
        let mut column = head(name, most, bonus);
        let sums = students.iter().map(of);
        column.extend(sums.clone().map(|sum| match sum {
            Standing::Open(_) => Tone::Fail.on(sum.to_string()),
            Standing::Scored(_) | Standing::Excused => sum.to_string(),
        }));
        column.push(mean_cell(sums.map(Standing::points)));
        columns.push(column);
    };
    let (total, bonus) = style.pick(("total", "bonus"), ("总分", "附加"));
    sum(
        total,
        info.points,
        false,
        StudentResult::standing_without_bonus,
    );
    if info.bonus > Points::ZERO {
        sum(bonus, info.bonus, true, StudentResult::standing_of_bonus);
    }
    columns
}

/// The points of a problem with the verdict after them, or a mark instead. Numbers stand under each other if the column
/// is right-aligned.
fn cell(problem: Option<&ProblemResult>) -> String {
    let shown = problem.and_then(|problem| Some((problem, code(problem)?)));
    let (number, code, tone) = match shown {
        Some((problem, code)) => {
            let (number, code) = match problem.standing().points() {
                None => (code.to_owned(), ""),
                Some(points) if code == Verdict::Accepted.code() => (points.to_string(), ""),
                Some(points) => (points.to_string(), code),
            };
            (number, code, Tone::of(problem.verdict))
        }
        None => ("—".to_owned(), "", Tone::Faint),
    };
    let text = format!("{number} {code}");
    left(&tone.on(text.trim_end()), width(&number) + CODE_WIDTH)
}

fn mean_cell(points: impl Iterator<Item = Option<Points>>) -> String {
    let known: Vec<Points> = points.flatten().collect();
    let mean = mean(&known).map_or_else(|| "—".to_owned(), |mean| mean.to_string());
    Tone::Faint.on(mean)
}

/// The mean, rounded half up to a hundredth. `None` of nothing.
pub(crate) fn mean(points: &[Points]) -> Option<Points> {
    let count = points.len() as u64;
    let sum: Points = points.iter().copied().sum();
    let hundredths = (sum.thousandths() + 5 * count).checked_div(10 * count)?;
    Some(Points::from_thousandths(hundredths * 10))
}

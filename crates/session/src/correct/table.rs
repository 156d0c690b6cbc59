//! `--from`: a table of corrections.

use std::path::Path;

use grader_lms::{
    MAX_TEXT, Row, Table, identity_columns, is_name_heading, may_be_one_name, read_regular,
};
use grader_model::{AssignmentInfo, Text, counted, escaped};
use toml_edit::Value;

use super::edit::{Change, Keys, Target, points};
use crate::console::Console;
use crate::exit::Failure;
use crate::part::{People, known_problem};
use crate::path::shown;
use crate::suggest::did_you_mean;

/// The columns that a table may have.
const COLUMNS: [&str; 6] = [
    "student", "problem", "subtask", "points", "items", "comment",
];

/// Mistakes of a table that are shown.
const MAX_MISTAKES: usize = 20;

/// Stands for a column that says again whose row it is.
const BESIDE: &str = "(beside)";

/// The one of them with the name.
const BESIDE_NAME: &str = "(name)";

/// What the cells of a table mean.
pub(super) struct Context<'a> {
    pub(super) people: &'a People<'a>,
    pub(super) console: &'a dyn Console,
    pub(super) info: &'a AssignmentInfo,
    /// The problem that a table without such a column is about.
    pub(super) problem: Option<&'a str>,
    /// The subtask that a table without such a column is about.
    pub(super) subtask: Option<&'a str>,
}

/// Reads a table of corrections.
///
/// # Errors
/// All mistakes in it, with their lines.
pub(super) fn read_table(path: &Path, context: &Context<'_>) -> Result<Vec<Change>, Failure> {
    let name = shown(path);
    let bytes = read_regular(path, MAX_TEXT);
    let bytes = bytes.map_err(|error| Failure::usage(format!("cannot read `{name}`: {error}")))?;
    let table = Table::read(&bytes);
    let table = table.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    if let Some(note) = table.note(&Text::plain(format!("`{name}`"))) {
        context.console.note(&note);
    }
    let columns = columns(&table);
    let on_line_1 = |message: &str| Failure::usage(format!("{name}:1: {message}"));
    let is_known = |it: &String| {
        [BESIDE, BESIDE_NAME].contains(&it.as_str()) || COLUMNS.contains(&it.as_str())
    };
    if let Some(unknown) = columns.iter().find(|it| !is_known(it)) {
        let near = did_you_mean(unknown, COLUMNS).en;
        let unknown = escaped(unknown.as_bytes());
        return Err(on_line_1(&format!("there is no column `{unknown}`{near}")));
    }
    if !columns.iter().any(|it| it == "student") {
        return Err(on_line_1("the column `student` is missing"));
    }
    let mut changes: Vec<Change> = Vec::new();
    let (mut lines, mut mistakes) = (Vec::new(), Vec::new());
    for row in &table.rows[1..] {
        let place = format!("{name}:{}", row.line);
        let (target, keys) = match correction(&columns, row, table.decimal_sign(), context) {
            Ok(Some(found)) => found,
            Ok(None) => continue,
            Err(mistake) => {
                mistakes.push(format!("{place}: {mistake}"));
                continue;
            }
        };
        if let Some(before) = changes.iter().position(|it| it.target == target) {
            let (line, whose) = (lines[before], escaped(target.text().as_bytes()));
            let message = format!("{place}: `{whose}` is on line {line} too: which row counts?");
            mistakes.push(message);
            continue;
        }
        lines.push(row.line);
        changes.push(Change {
            target,
            keys,
            place: Some(place),
        });
    }
    let left_out = mistakes.len().saturating_sub(MAX_MISTAKES);
    if left_out > 0 {
        mistakes.truncate(MAX_MISTAKES);
        let more = counted(left_out, "more mistake", "more mistakes");
        mistakes.push(format!("and {more}"));
    }
    match &mistakes[..] {
        [] => Ok(changes),
        _ => Err(Failure::usage(mistakes.join("\n"))),
    }
}

/// The columns. One that says who it is, as in a roster, is the student's, whatever it is called; others are beside it.
fn columns(table: &Table) -> Vec<String> {
    let heads = table.heads();
    let mut columns: Vec<String> = heads.iter().map(|it| it.to_lowercase()).collect();
    let student = columns.iter().position(|it| it == COLUMNS[0]);
    let whose = identity_columns(&heads);
    let student = student.or(whose.first().copied());
    for place in whose {
        let is_name = is_name_heading(&heads[place]);
        let kind = if is_name { BESIDE_NAME } else { BESIDE };
        kind.clone_into(&mut columns[place]);
    }
    if let Some(place) = student {
        COLUMNS[0].clone_into(&mut columns[place]);
    }
    columns
}

/// Checks what a row says of its student beside the column by which the student is found: it may not be somebody else.
fn check_beside(
    student: &str,
    cell: &str,
    is_name: bool,
    people: &People<'_>,
) -> Result<(), Failure> {
    let others = people.called(cell);
    let is_other = !others.is_empty() && others.iter().all(|(id, _)| id.as_str() != student);
    let own = people.called(student);
    let own_name = own
        .first()
        .and_then(|(_, person)| person.as_ref()?.name.as_deref());
    let is_other_name = is_name && own_name.is_some_and(|name| !may_be_one_name(name, cell));
    if !is_other && !is_other_name {
        return Ok(());
    }
    let called = own_name.map(|name| format!(" ({})", escaped(name.as_bytes())));
    let (student, cell) = (escaped(student.as_bytes()), escaped(cell.as_bytes()));
    Err(Failure::usage(format!(
        "`{student}`{} and `{cell}` are not the same student: correct one of them, or leave the second empty",
        called.unwrap_or_default()
    )))
}

/// The correction of a row; `None` if it sets nothing.
fn correction(
    columns: &[String],
    row: &Row,
    decimal_sign: &str,
    context: &Context<'_>,
) -> Result<Option<(Target, Keys)>, Failure> {
    let cell = |column: &str| {
        let place = columns.iter().position(|it| it == column)?;
        let cell = row.cells.get(place)?.trim();
        (!cell.is_empty()).then_some(cell)
    };
    let items = cell("items").unwrap_or_default().split_whitespace();
    let items: Vec<String> = items.map(str::to_owned).collect();
    let mut keys = Keys::new();
    if let Some(cell) = cell("points") {
        let points = points(&cell.replace(decimal_sign, "."));
        keys.push(("points", points.map_err(Failure::usage)?));
    }
    if !items.is_empty() {
        keys.push(("items", Value::from_iter(&items)));
    }
    keys.extend(cell("comment").map(|cell| ("comment", Value::from(cell))));
    if keys.is_empty() {
        return Ok(None);
    }
    let either = |column, option: Option<&str>| cell(column).or(option).map(str::to_owned);
    let problem = either("problem", context.problem);
    if let Some(id) = &problem {
        known_problem(id, context.info)?;
    }
    // A comment alone is about the problem.
    let subtask = either("subtask", context.subtask).filter(|_| keys[0].0 != "comment");
    let student = context.people.find(cell("student").unwrap_or_default())?;
    for column in [BESIDE, BESIDE_NAME] {
        let places = columns.iter().zip(&row.cells);
        for (_, cell) in places.filter(|(it, cell)| *it == column && !cell.trim().is_empty()) {
            check_beside(&student, cell.trim(), column == BESIDE_NAME, context.people)?;
        }
    }
    let target = Target {
        at: None,
        assignment: context.info.id.clone(),
        student,
        problem,
        subtask,
    };
    Ok(Some((target.with_subtask_of(&items, context.info)?, keys)))
}

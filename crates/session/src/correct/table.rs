//! `--from`: a table of corrections.

use std::collections::BTreeMap;
use std::path::Path;

use grader_lms::{
    MAX_TEXT, Row, Table, identity_columns, is_name_heading, may_be_one_name, read_regular,
};
use grader_model::{AssignmentInfo, Results, Text, counted, escaped};
use grader_report::unguarded;
use toml_edit::Value;

use super::edit::{Change, Keys, Target, points, submission};
use super::sheet::{self, Column, SUBMISSION};
use crate::console::Console;
use crate::exit::Failure;
use crate::part::{People, known_problem};
use crate::path::shown;
use crate::suggest::did_you_mean;

/// The columns that a table may have.
const COLUMNS: [&str; 7] = [
    "student", "problem", "subtask", "points", "items", "comment", SUBMISSION,
];

/// Mistakes of a table that are shown.
const MAX_MISTAKES: usize = 20;

/// Stands for a column that says again whose row it is.
const BESIDE: &str = "(beside)";

/// Stands for a column of an item or of a subtask's points.
const GIVEN: &str = "(given)";

/// The columns that say the same, in a table with a row for each subtask.
const OF_ROWS: [&str; 3] = ["subtask", "points", "items"];

/// The one of them with the name.
const BESIDE_NAME: &str = "(name)";

/// What the cells of a table mean.
pub(super) struct Context<'a> {
    pub(super) people: &'a People<'a>,
    pub(super) console: &'a dyn Console,
    pub(super) info: &'a AssignmentInfo,
    /// What counts now.
    pub(super) results: &'a Results,
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
    let columns = columns(&table, context.info);
    let on_line_1 = |message: &str| Failure::usage(format!("{name}:1: {message}"));
    let is_known = |it: &&String| {
        [BESIDE, BESIDE_NAME, GIVEN].contains(&it.as_str()) || COLUMNS.contains(&it.as_str())
    };
    if let Some(unknown) = columns.names.iter().find(|it| !is_known(it)) {
        let near = did_you_mean(unknown, COLUMNS).en;
        let unknown = escaped(unknown.as_bytes());
        return Err(on_line_1(&format!("there is no column `{unknown}`{near}")));
    }
    if !columns.names.iter().any(|it| it == "student") {
        return Err(on_line_1("the column `student` is missing"));
    }
    columns.check().map_err(|message| on_line_1(&message))?;
    let mut changes: Vec<Change> = Vec::new();
    let (mut lines, mut mistakes) = (BTreeMap::new(), Vec::new());
    for row in &table.rows[1..] {
        let place = format!("{name}:{}", row.line);
        let found = corrections(&columns, row, table.decimal_sign(), context);
        let found = found.unwrap_or_else(|mistake| {
            mistakes.push(format!("{place}: {mistake}"));
            Vec::new()
        });
        for (target, keys) in found {
            if let Some(line) = lines.insert(target.clone(), row.line) {
                let whose = escaped(target.text().as_bytes());
                let message =
                    format!("{place}: `{whose}` is on line {line} too: which row counts?");
                mistakes.push(message);
                continue;
            }
            changes.push(Change {
                target,
                keys,
                place: Some(place.clone()),
            });
        }
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

/// The columns of a table.
struct Columns {
    /// What they are: one of [`COLUMNS`], or a word for those that a table names in its own way.
    names: Vec<String>,
    /// The items and subtasks of those that have points, as in a sheet.
    given: Vec<Option<Column>>,
}

impl Columns {
    /// Refuses columns that say the same.
    fn check(&self) -> Result<(), String> {
        let given: Vec<&Column> = self.given.iter().flatten().collect();
        let twice = (1..given.len()).find(|it| given[..*it].contains(&given[*it]));
        if let Some(twice) = twice {
            return Err(format!(
                "the column `{}` is there twice",
                escaped(given[twice].name().as_bytes())
            ));
        }
        let mut others = self
            .names
            .iter()
            .filter(|it| OF_ROWS.contains(&it.as_str()));
        match (given.first(), others.next()) {
            (Some(given), Some(other)) => Err(format!(
                "the columns `{}` and `{other}` say the same: keep one",
                escaped(given.name().as_bytes())
            )),
            _ => Ok(()),
        }
    }
}

/// The columns. One that says who it is, as in a roster, is the student's, whatever it is called; others are beside it.
fn columns(table: &Table, info: &AssignmentInfo) -> Columns {
    let heads = table.heads();
    let given = heads.iter().map(|head| Column::of(&unguarded(head), info));
    let given: Vec<Option<Column>> = given.collect();
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
    for (column, _) in columns
        .iter_mut()
        .zip(&given)
        .filter(|(_, given)| given.is_some())
    {
        GIVEN.clone_into(column);
    }
    Columns {
        names: columns,
        given,
    }
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

/// The corrections of a row: none if it sets nothing, one for each member if it is a team's.
fn corrections(
    columns: &Columns,
    row: &Row,
    decimal_sign: &str,
    context: &Context<'_>,
) -> Result<Vec<(Target, Keys)>, Failure> {
    let cell = |column: &str| {
        let place = columns.names.iter().position(|it| it == column)?;
        let cell = row.cells.get(place)?.trim();
        (!cell.is_empty()).then_some(cell)
    };
    let number = |cell: &str| cell.trim().replace(decimal_sign, ".");
    let either = |column, option: Option<&str>| cell(column).or(option).map(str::to_owned);
    let problem = either("problem", context.problem);
    let comment = cell("comment").map(|cell| ("comment", Value::from(unguarded(cell))));
    let given = columns.given.iter().zip(&row.cells);
    let given = given.filter_map(|(column, cell)| Some((column.as_ref()?, number(cell))));
    let given: Vec<_> = given.collect();
    let items = cell("items").unwrap_or_default().split_whitespace();
    let items: Vec<String> = items.map(str::to_owned).collect();
    let mut keys = Keys::new();
    if let Some(cell) = cell("points") {
        keys.push(("points", points(&number(cell)).map_err(Failure::usage)?));
    }
    if !items.is_empty() {
        keys.push(("items", Value::from_iter(&items)));
    }
    keys.extend(comment);
    if keys.is_empty() && given.iter().all(|(_, cell)| cell.is_empty()) {
        return Ok(Vec::new());
    }
    if let Some(id) = &problem {
        known_problem(id, context.info)?;
    }
    // A comment alone is about the problem.
    let subtask = either("subtask", context.subtask)
        .filter(|_| keys.first().is_some_and(|it| it.0 != "comment"));
    let mut all = Vec::new();
    if !given.is_empty() {
        let mut problems = context.info.problems.iter();
        let info = problems.find(|it| Some(it.id.as_str()) == problem.as_deref());
        let missing = "the problem is missing: name it with `--problem`";
        let read = sheet::read(&given, info.ok_or_else(|| Failure::usage(missing))?)?;
        all.extend(read.into_iter().map(|(it, keys)| (Some(it), keys)));
    }
    if !keys.is_empty() {
        all.push((subtask, keys));
    }
    let students = students(columns, row, cell("student").unwrap_or_default(), context)?;
    let each = students
        .iter()
        .flat_map(|student| all.iter().map(move |it| (student, it)));
    let seen = cell(SUBMISSION);
    let mut found = Vec::new();
    for (student, (subtask, keys)) in each {
        let target = Target {
            at: None,
            assignment: context.info.id.clone(),
            student: student.clone(),
            problem: problem.clone(),
            subtask: subtask.clone(),
        };
        let counted = submission(&target, context.results);
        if seen.is_some_and(|seen| !counted.is_some_and(|it| it.starts_with(seen))) {
            let whose = escaped(target.text().as_bytes());
            let note = format!(
                "line {}: `{whose}` was not taken: another submission counts now. Write a new sheet, and look at that one",
                row.line
            );
            context.console.note(&Text::plain(note));
        } else {
            found.push((target.with_subtask_of(&items, context.info)?, keys.clone()));
        }
    }
    Ok(found)
}

/// The student whom a row names, or the members of the team. What it says of a student beside the name has to agree.
fn students(
    columns: &Columns,
    row: &Row,
    name: &str,
    context: &Context<'_>,
) -> Result<Vec<String>, Failure> {
    let found = context.people.find_all(name);
    let plain = unguarded(name);
    let found = found.or_else(|error| {
        if plain == name {
            Err(error)
        } else {
            context.people.find_all(&plain)
        }
    })?;
    let [student] = &found[..] else {
        return Ok(found);
    };
    for column in [BESIDE, BESIDE_NAME] {
        let places = columns.names.iter().zip(&row.cells);
        for (_, cell) in places.filter(|(it, cell)| *it == column && !cell.trim().is_empty()) {
            let cell = unguarded(cell.trim());
            check_beside(student, &cell, column == BESIDE_NAME, context.people)?;
        }
    }
    Ok(found)
}

//! Inputs that were found, as cases of their problem.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use grader_lms::{MAX_TEXT, read_regular_text};
use grader_model::{ProblemId, Text, escaped};
use grader_problem::{Diagnostic, Problem, Subtask};
use grader_publish::atomic_write;
use grader_view::AuditedProgram;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TomlError, value};

use crate::SearchError;

/// What a case with a found input has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// The values of its variables.
    pub variables: BTreeMap<String, String>,
    /// The input, if it was made smaller; otherwise it follows from the variables.
    pub input: Option<String>,
}

impl Kept {
    /// What was found for a problem, each input once. What an earlier audit found has no values from which to make a case.
    pub fn all(programs: &[AuditedProgram], problem: &ProblemId) -> Vec<Self> {
        let own = programs.iter().filter(|it| it.problem == *problem);
        let found = own.filter_map(|it| it.found.as_ref());
        let found = found.filter(|it| it.is_new());
        let kept = found.map(|it| Self {
            variables: it.variables.clone(),
            input: it.input.clone(),
        });
        kept.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Adds cases with these inputs to the subtask of a problem that is worth most, if the problem is still right with them by `check`. Returns
/// the subtask and the path of the changed file.
///
/// # Errors
/// If the file cannot be changed, or `check` finds mistakes; the file is then as it was.
pub fn add_cases<'a>(
    kept: &[Kept],
    problem: &'a Problem,
    check: impl FnOnce() -> Result<(), Vec<Diagnostic>>,
) -> Result<(&'a Subtask, PathBuf), SearchError> {
    let refused = |message: String| SearchError::Refused(Text::plain(message));
    if problem.own.is_some() {
        let id = &problem.id;
        return Err(refused(format!(
            "each student has other values in `{id}`: an input of one student is no case for all"
        )));
    }
    let path = Path::new(&problem.shown).join("problem.toml");
    let shown = escaped(path.as_os_str().as_encoded_bytes());
    if !path.exists() {
        let id = &problem.id;
        return Err(refused(format!(
            "`{id}` is bundled with the grader, so its problem file cannot be changed"
        )));
    }
    let before = read_regular_text(&path, MAX_TEXT);
    let before = before.map_err(|error| SearchError::Unreadable(shown.clone(), error))?;
    let file = before.parse();
    let mut file: DocumentMut =
        file.map_err(|error: TomlError| refused(format!("cannot change `{shown}`: {error}")))?;
    let judged = problem.subtasks.iter().enumerate();
    let judged = judged.filter(|(_, it)| it.manual.is_none() && it.growth.is_none());
    // The first of those with the most points.
    let most = judged.rev().max_by_key(|(_, it)| it.points);
    let no_subtask = || refused("the problem has no subtask for cases".to_owned());
    let (index, subtask) = most.ok_or_else(no_subtask)?;
    let search = file.get("search").cloned().unwrap_or_default();
    let tables = file
        .get_mut("subtask")
        .and_then(Item::as_array_of_tables_mut);
    let table = tables.and_then(|it| it.get_mut(index)).ok_or_else(|| {
        refused(format!(
            "cannot add to `subtask = […]` in `{shown}`: write each subtask below a heading `[[subtask]]`"
        ))
    })?;
    add_to(table, kept, subtask, &search);
    let write = |text: &str| atomic_write(&path, |out| out.write_all(text.as_bytes()));
    write(&file.to_string())?;
    if let Err(mistakes) = check() {
        write(&before)?;
        return Err(SearchError::Mistakes(mistakes));
    }
    Ok((subtask, path))
}

/// Adds the cases to the table of a subtask, with names that are free.
fn add_to(table: &mut Table, kept: &[Kept], subtask: &Subtask, search: &Item) {
    let cases = table
        .entry("case")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let mut numbers = 1..;
    for it in kept {
        let is_free = |name: &String| subtask.cases.iter().all(|case| case.name.as_str() != name);
        let name = numbers
            .by_ref()
            .map(|number| format!("found-{number}"))
            .find(is_free);
        let new = table_of(it, &name.unwrap_or_default(), search);
        if let Some(listed) = cases.as_array_mut() {
            push_line(listed, new.into_inline_table());
        } else if let Some(listed) = cases.as_array_of_tables_mut() {
            listed.push(new);
        }
    }
}

fn table_of(kept: &Kept, name: &str, search: &Item) -> Table {
    let mut table = Table::new();
    table["name"] = value(name);
    let mut variables = InlineTable::new();
    for (name, text) in &kept.variables {
        let number = text.parse::<i64>();
        variables.insert(name, number.map_or_else(|_| text.into(), Into::into));
    }
    table["variables"] = value(variables);
    for key in ["arguments", "stdin", "generate"] {
        if let Some(template) = search.get(key).filter(|it| it.is_value()) {
            table[key] = template.clone();
        }
    }
    if let Some(input) = &kept.input {
        table.remove("generate");
        // A template, in which a brace stands twice.
        table["stdin"] = value(input.replace('{', "{{").replace('}', "}}"));
    }
    table
}

/// Adds to an array, on a line of its own if its other elements have one.
fn push_line(array: &mut Array, new: InlineTable) {
    let last = array.iter().last();
    let decor = last.map(|it| it.decor().clone());
    array.push(new);
    if let (Some(decor), Some(new)) = (
        decor,
        array.len().checked_sub(1).and_then(|at| array.get_mut(at)),
    ) {
        *new.decor_mut() = decor;
    }
}

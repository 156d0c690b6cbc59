//! `--sheet`: a table to fill in, with a row for each submission for which people give points, and a column for each item of a
//! rubric. `--from` reads it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, ManualSubtask, Points, ProblemInfo, ProblemResult, Results, RubricItem,
    Standing, SubtaskResult, escaped,
};
use grader_report::write_rows;
use toml_edit::{DocumentMut, Item, Value};

use super::checks::plain;
use super::edit::{Change, IsOurs, Keys, points, says};
use crate::exit::Failure;
use crate::part::People;

/// The word for the points of a subtask in a heading.
const POINTS: &str = "points";

/// The column that says which submission a row is for.
pub(super) const SUBMISSION: &str = "submission";

/// Enough of a submission's hash to know it again.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// What a column gives: an item of a rubric, or the points of a subtask as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    subtask: String,
    item: Option<String>,
}

/// What people have given so far.
pub(super) struct Given<'a> {
    /// The results, corrected.
    results: &'a Results,
    /// The remarks on a problem, by student and problem.
    comments: BTreeMap<(String, String), Vec<String>>,
}

/// A table to fill in.
pub struct Sheet {
    /// Its rows, headings first.
    rows: Vec<Vec<String>>,
    /// The number of rows in which points are missing.
    pub open: usize,
}

impl Sheet {
    /// The number of rows. A team has one, unless its members have different points.
    pub const fn rows(&self) -> usize {
        self.rows.len() - 1
    }

    /// Writes it as CSV.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_rows(&self.rows, out)
    }
}

impl Column {
    /// The column with this heading, `style/names (3)` or `report/points`, if the assignment has such an item or subtask.
    pub(super) fn of(heading: &str, info: &AssignmentInfo) -> Option<Self> {
        let (subtask, what) = heading.split_once('/')?;
        let worth = what.rsplit_once(" (").filter(|(_, end)| end.ends_with(')'));
        let subtasks = info.problems.iter().flat_map(|it| &it.manual);
        let subtasks: Vec<_> = subtasks.filter(|it| it.name.as_str() == subtask).collect();
        let mut names = [what].into_iter().chain(worth.map(|(what, _)| what));
        let has = |id: &str| {
            subtasks
                .iter()
                .any(|it| it.items.iter().any(|it| it.id == id))
        };
        let what = names.find(|it| has(it) || (*it == POINTS && !subtasks.is_empty()))?;
        Some(Self {
            subtask: subtask.to_owned(),
            item: has(what).then(|| what.to_owned()),
        })
    }

    /// Its heading without what it is worth.
    pub(super) fn name(&self) -> String {
        format!(
            "{}/{}",
            self.subtask,
            self.item.as_deref().unwrap_or(POINTS)
        )
    }

    /// The content of its cell: empty while it is open.
    fn cell(&self, subtask: &SubtaskResult, rubric: &ManualSubtask) -> String {
        match (&self.item, subtask.points) {
            (None, Some(points)) if is_number(subtask, rubric) => points.to_string(),
            (Some(item), Some(_)) if !is_number(subtask, rubric) => {
                u8::from(items(subtask).contains(item)).to_string()
            }
            _ => String::new(),
        }
    }
}

/// The items that were given.
fn items(subtask: &SubtaskResult) -> &[String] {
    subtask.manual.as_ref().map_or(&[], |it| &it.items)
}

/// Whether a number was given that no items of the rubric are worth.
fn is_number(subtask: &SubtaskResult, rubric: &ManualSubtask) -> bool {
    let is_zero = subtask.points == Some(Points::ZERO);
    items(subtask).is_empty() && (rubric.items.is_empty() || !is_zero)
}

/// What a row says of each subtask of a problem; nothing of one whose cells are empty.
///
/// # Errors
/// If a cell has no such value, if not all items of a subtask are decided, or if the problem has no such item.
pub(super) fn read(
    cells: &[(&Column, String)],
    info: &ProblemInfo,
) -> Result<Vec<(String, Keys)>, Failure> {
    let mut found = Vec::new();
    let filled = || cells.iter().filter(|(_, cell)| !cell.is_empty());
    let is_known = |column: &Column| {
        let mut own = info
            .manual
            .iter()
            .filter(|it| it.name.as_str() == column.subtask);
        let item = column.item.as_ref();
        own.any(|it| item.is_none_or(|id| it.items.iter().any(|it| it.id == *id)))
    };
    if let Some((column, _)) = filled().find(|(column, _)| !is_known(column)) {
        let message = format!(
            "`{}` has no `{}`: leave the cell empty",
            info.id,
            column.name()
        );
        return Err(Failure::usage(message));
    }
    for subtask in &info.manual {
        let name = subtask.name.as_str();
        let own: Vec<_> = filled().filter(|(it, _)| it.subtask == name).collect();
        let cell = |item: Option<&str>| own.iter().find(|(it, _)| it.item.as_deref() == item);
        let keys = match (cell(None), &own[..]) {
            (_, []) => continue,
            (Some((_, cell)), [_]) => number(cell, subtask)?,
            (Some((column, _)), _) => {
                let message = format!(
                    "`{}` and items of `{name}` are both filled in: which counts?",
                    column.name()
                );
                return Err(Failure::usage(message));
            }
            (None, _) => {
                let mut given = Vec::new();
                for item in &subtask.items {
                    let Some((_, cell)) = cell(Some(&item.id)) else {
                        let message = format!(
                            "`{name}/{}` is empty: give 0 or 1 for every item of `{name}`, or for none",
                            item.id
                        );
                        return Err(Failure::usage(message));
                    };
                    if is_given(cell, name, item)? {
                        given.push(item.id.as_str());
                    }
                }
                let given = (!given.is_empty()).then(|| ("items", Value::from_iter(given)));
                vec![given.unwrap_or_else(|| (POINTS, Value::from(0)))]
            }
        };
        found.push((name.to_owned(), keys));
    }
    Ok(found)
}

/// Points as a number, at most those of the subtask.
fn number(cell: &str, subtask: &ManualSubtask) -> Result<Keys, Failure> {
    let value = points(cell).map_err(Failure::usage)?;
    let number = cell
        .parse::<f64>()
        .ok()
        .and_then(|it| Points::try_from(it).ok());
    if number.is_some_and(|it| it > subtask.points) {
        let (name, most) = (&subtask.name, subtask.points);
        let message = format!("{cell} points are more than `{name}` is worth, which is {most}");
        return Err(Failure::usage(message));
    }
    // However it is written.
    let plain = number.and_then(|it| points(&it.to_string()).ok());
    Ok(vec![(POINTS, plain.unwrap_or(value))])
}

/// Whether a cell gives an item: by 1, or by its points.
fn is_given(cell: &str, subtask: &str, item: &RubricItem) -> Result<bool, Failure> {
    let number = cell
        .parse::<f64>()
        .ok()
        .and_then(|it| Points::try_from(it).ok());
    match number {
        Some(Points::ZERO) => Ok(false),
        Some(number) if number == Points::whole(1) || number == item.points => Ok(true),
        _ => {
            let (id, cell) = (&item.id, escaped(cell.as_bytes()));
            let or = Some(item.points).filter(|it| *it != Points::whole(1));
            let or = or.map_or_else(String::new, |it| format!(" or {it}"));
            Err(Failure::usage(format!(
                "`{subtask}/{id}` is `{cell}`: expected 0, 1{or}"
            )))
        }
    }
}

impl<'a> Given<'a> {
    /// What is in these results, and the remarks in these files.
    pub(super) fn of(results: &'a Results, files: &[DocumentMut], is_ours: &IsOurs<'_>) -> Self {
        let mut comments: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let tables = files.iter().filter_map(|it| it.get("correction"));
        for table in tables.filter_map(Item::as_array_of_tables).flatten() {
            let text = |key| table.get(key).and_then(Item::as_str);
            let is_own = text("assignment").is_none_or(|it| it == results.assignment.id.as_str());
            let (Some(student), Some(problem), Some(comment)) =
                (text("student"), text("problem"), text("comment"))
            else {
                continue;
            };
            let is_live = text("submission").is_none_or(|it| {
                let mut students = results
                    .students
                    .iter()
                    .filter(|it| it.id.as_str() == student);
                let mut problems = students.next().into_iter().flat_map(|it| &it.problems);
                problems.any(|of| of.id.as_str() == problem && of.submission.as_deref() == Some(it))
            });
            let is_own = is_own && is_live && is_ours(text("class"), student);
            if is_own && !says(table) && text("at").is_none() {
                let of = (student.to_owned(), problem.to_owned());
                comments.entry(of).or_default().push(comment.to_owned());
            }
        }
        Self { results, comments }
    }

    fn comment(&self, student: &str, problem: &str) -> String {
        let of = (student.to_owned(), problem.to_owned());
        let comments = self.comments.get(&of);
        comments.map_or_else(String::new, |it| it.join("; "))
    }

    /// Whether a row of a table says what is there already.
    pub(super) fn has(&self, change: &Change) -> bool {
        let (student, problem) = (&change.target.student, change.target.problem.as_deref());
        let [(key, new)] = &change.keys[..] else {
            return false;
        };
        let Some(subtask) = &change.target.subtask else {
            let old = self.comment(student, problem.unwrap_or_default());
            return *key == "comment" && new.as_str() == Some(&old);
        };
        let mut students = self.results.students.iter();
        let student = students.find(|it| it.id.as_str() == student);
        let problems = student.into_iter().flat_map(|it| &it.problems);
        let mut subtasks = problems
            .filter(|it| Some(it.id.as_str()) == problem)
            .flat_map(|it| &it.subtasks);
        let Some(subtask) = subtasks.find(|it| it.name.as_str() == subtask) else {
            return false;
        };
        let old = match (subtask.points, items(subtask)) {
            (None, _) => return false,
            (Some(old), []) => points(&old.to_string()).map(|it| (POINTS, it)),
            (Some(_), items) => Ok(("items", Value::from_iter(items))),
        };
        old.is_ok_and(|(of, old)| of == *key && plain(&old) == plain(new))
    }

    /// The table for all problems, or for this one.
    pub(super) fn sheet(&self, problem: Option<&str>, people: &People<'_>) -> Sheet {
        let problems = self.results.assignment.problems.iter();
        let problems = problems.filter(|it| problem.is_none_or(|id| id == it.id.as_str()));
        let columns = self.columns(problems.clone());
        let students = self.results.students.iter();
        let teams = people.teams();
        let heads = ["student", "name", "problem"]
            .map(str::to_owned)
            .into_iter();
        let given = columns.iter().map(|(column, worth)| {
            let worth = worth.map_or_else(String::new, |it| format!(" ({it})"));
            column.name() + &worth
        });
        let mut sheet = Sheet {
            rows: vec![
                heads
                    .chain(given)
                    .chain(["comment", SUBMISSION].map(str::to_owned))
                    .collect(),
            ],
            open: 0,
        };
        for info in problems {
            let rows = students.clone().filter_map(|student| {
                let problem = student.problems.iter().find(|it| it.id == info.id)?;
                let cells = columns
                    .iter()
                    .map(|(column, _)| cell(column, problem, info));
                let comment = self.comment(student.id.as_str(), info.id.as_str());
                let submission = problem.submission.as_deref().map(short).unwrap_or_default();
                let cells = cells.chain([comment, submission.to_owned()]);
                let cells: Vec<String> = cells.collect();
                is_for_people(problem).then_some((student, problem, cells))
            });
            let merged = teams.merge(
                rows.collect(),
                |(student, ..)| Some(&student.id),
                |one, two| one.2 == two.2 && one.1.submission == two.1.submission,
            );
            for (team, (student, problem, cells)) in merged {
                let members = students.clone().filter(|it| it.team.as_deref() == team);
                let members = members.filter_map(|it| it.person.as_ref()?.name.clone());
                let own = student.person.as_ref().and_then(|it| it.name.clone());
                let names = team.map_or_else(
                    || own.unwrap_or_default(),
                    |_| members.collect::<Vec<_>>().join(", "),
                );
                let who = team.unwrap_or(student.id.as_str());
                let begin = [who.to_owned(), names, info.id.to_string()];
                sheet.rows.push(begin.into_iter().chain(cells).collect());
                sheet.open += usize::from(problem.standing().is_by_hand());
            }
        }
        sheet
    }

    /// The columns for these problems. An item with the same name in several has one, without its points if these differ.
    fn columns<'b>(
        &self,
        problems: impl Iterator<Item = &'b ProblemInfo>,
    ) -> Vec<(Column, Option<Points>)> {
        let mut columns: Vec<(Column, Option<Points>)> = Vec::new();
        for info in problems {
            for rubric in &info.manual {
                let items = rubric
                    .items
                    .iter()
                    .map(|it| (Some(it.id.clone()), it.points));
                let number = self
                    .has_number(info, rubric)
                    .then_some((None, rubric.points));
                for (item, worth) in items.chain(number) {
                    let subtask = rubric.name.to_string();
                    let column = Column { subtask, item };
                    match columns.iter_mut().find(|(it, _)| *it == column) {
                        Some((_, known)) => *known = known.filter(|it| *it == worth),
                        None => columns.push((column, Some(worth))),
                    }
                }
            }
        }
        columns
    }

    /// Whether a subtask needs a column for its points: it has no items, or somebody gave a number.
    fn has_number(&self, info: &ProblemInfo, rubric: &ManualSubtask) -> bool {
        let problems = self.results.students.iter().flat_map(|it| &it.problems);
        let subtasks = problems
            .filter(|it| it.id == info.id)
            .flat_map(|it| &it.subtasks);
        let mut given = subtasks.filter(|it| it.name == rubric.name && it.points.is_some());
        rubric.items.is_empty() || given.any(|it| it.manual.is_some() && is_number(it, rubric))
    }
}

/// Whether people give points for what was submitted, or have given some.
fn is_for_people(problem: &ProblemResult) -> bool {
    let has_points = |it: &SubtaskResult| it.manual.is_some() && it.points.is_some();
    problem.submission.is_some()
        && match problem.standing() {
            Standing::Scored(_) => problem.subtasks.iter().any(has_points),
            standing => standing.is_by_hand(),
        }
}

/// The content of a column for a problem; empty if it has no such item.
fn cell(column: &Column, problem: &ProblemResult, info: &ProblemInfo) -> String {
    let rubric = info
        .manual
        .iter()
        .find(|it| it.name.as_str() == column.subtask);
    let subtask = rubric.and_then(|rubric| {
        let mut subtasks = problem.subtasks.iter();
        Some((rubric, subtasks.find(|it| it.name == rubric.name)?))
    });
    let has_item = |rubric: &ManualSubtask| {
        let item = column.item.as_ref();
        item.is_none_or(|id| rubric.items.iter().any(|it| it.id == *id))
    };
    let subtask = subtask.filter(|(rubric, _)| has_item(rubric));
    subtask.map_or_else(String::new, |(rubric, subtask)| {
        column.cell(subtask, rubric)
    })
}

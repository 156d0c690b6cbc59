//! Changes in a file of corrections.

use std::path::Path;

use grader_model::{AssignmentId, AssignmentInfo, ManualSubtask, Points};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Key, Table, Value, value};

use crate::exit::Failure;
use crate::terminal::shown;

/// Whose points a correction changes.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) assignment: AssignmentId,
    pub(super) student: String,
    pub(super) problem: Option<String>,
    pub(super) subtask: Option<String>,
    /// The line of the source that it is about: each line has a correction of its own.
    pub(super) at: Option<String>,
}

/// What is set in a correction: its keys and their values.
pub(super) type Keys = Vec<(&'static str, Value)>;

/// Points as they are written in the file.
pub(super) fn points(text: &str) -> Result<Value, String> {
    if text.starts_with('-') {
        return Err("points must not be negative; to take points away, use `--add`".to_owned());
    }
    difference(text)
}

/// A change of points as it is written in the file.
pub(super) fn difference(text: &str) -> Result<Value, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    Points::try_from(number.abs())?;
    let whole = text.parse::<i64>();
    Ok(whole.map_or_else(|_| Value::from(number), Value::from))
}

impl Target {
    /// The correction in the file at this path, which is added if there is none.
    pub(super) fn table<'a>(
        &self,
        file: &'a mut DocumentMut,
        path: &Path,
    ) -> Result<&'a mut Table, Failure> {
        let corrections = file
            .entry("correction")
            .or_insert(Item::ArrayOfTables(ArrayOfTables::new()))
            .as_array_of_tables_mut()
            .ok_or_else(|| {
                let path = shown(path);
                Failure::usage(format!("cannot add to `correction = […]` in `{path}`: write each correction below a heading `[[correction]]`"))
            })?;
        let fits = |table: &Table| self.is_in(table);
        let has_points = |it: &Table| GIVES_POINTS.iter().any(|key| it.contains_key(key));
        let with_points = corrections.iter().position(|it| fits(it) && has_points(it));
        let place = with_points.or_else(|| corrections.iter().position(fits));
        if place.is_none() {
            let mut table = Table::new();
            table["assignment"] = value(self.assignment.as_str());
            table["student"] = value(&self.student);
            let keys = [
                ("problem", &self.problem),
                ("subtask", &self.subtask),
                ("at", &self.at),
            ];
            for (key, id) in keys {
                if let Some(id) = id {
                    table[key] = value(id);
                }
            }
            corrections.push(table);
        }
        let place = place.unwrap_or(corrections.len() - 1);
        corrections
            .get_mut(place)
            .ok_or_else(|| Failure::usage("there is no correction"))
    }

    /// Removes the corrections from the file.
    pub(super) fn remove(&self, file: &mut DocumentMut) -> Result<(), Failure> {
        let corrections = file.get_mut("correction");
        let corrections = corrections.and_then(Item::as_array_of_tables_mut);
        let mut removed = false;
        if let Some(corrections) = corrections {
            let all = corrections.len();
            corrections.retain(|table| !self.is_in(table));
            removed = corrections.len() < all;
        }
        if !removed {
            let target = self.problem.as_deref().unwrap_or("all problems");
            let message = format!("`{}` has no correction for `{target}`", self.student);
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// With the subtask that has these items, unless one is named.
    ///
    /// # Errors
    /// If no subtask has all of them.
    pub(super) fn with_subtask_of(
        mut self,
        items: &[String],
        info: &AssignmentInfo,
    ) -> Result<Self, Failure> {
        if items.is_empty() || self.subtask.is_some() {
            return Ok(self);
        }
        let mut problems = info.problems.iter();
        let problem = problems.find(|it| Some(it.id.as_str()) == self.problem.as_deref());
        let subtasks = || problem.into_iter().flat_map(|it| &it.manual);
        let has = |it: &&ManualSubtask| {
            let mut wanted = items.iter();
            wanted.all(|id| it.items.iter().any(|item| item.id == *id))
        };
        let Some(subtask) = subtasks().find(has) else {
            let known = subtasks().flat_map(|it| &it.items).map(|it| it.id.as_str());
            let known = known.collect::<Vec<_>>().join("`, `");
            let message = format!(
                "no subtask has the items `{}`\nthe items are `{known}`",
                items.join("`, `")
            );
            return Err(Failure::usage(message));
        };
        self.subtask = Some(subtask.name.to_string());
        Ok(self)
    }

    /// Whether a correction is of these points.
    fn is_in(&self, table: &Table) -> bool {
        let text = |key| table.get(key).and_then(Item::as_str);
        text("assignment").is_none_or(|id| id == self.assignment.as_str())
            && text("student") == Some(&self.student)
            && text("problem") == self.problem.as_deref()
            && text("subtask") == self.subtask.as_deref()
            && text("at") == self.at.as_deref()
    }
}

/// The keys that give points. One replaces the others.
pub(super) const GIVES_POINTS: [&str; 3] = ["points", "add", "items"];

/// Sets these keys. Comments and layout stay.
pub(super) fn set(table: &mut Table, keys: Keys) {
    for (key, mut new) in keys {
        let mut name = Key::new(key);
        // New points replace older ones and an excuse, whatever submission they were for; an excuse replaces points.
        if GIVES_POINTS.contains(&key) {
            table.remove("submission");
            table.remove("excused");
            for other in GIVES_POINTS.into_iter().filter(|it| *it != key) {
                if let Some((old, Item::Value(old_value))) = table.remove_entry(other) {
                    *name.leaf_decor_mut() = old.leaf_decor().clone();
                    *new.decor_mut() = old_value.decor().clone();
                }
            }
        }
        if key == "excused" {
            for other in ["points", "add", "submission"] {
                table.remove(other);
            }
        }
        match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            None => _ = table.insert_formatted(&name, Item::Value(new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_stay() {
        let before = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\n# Late\nadd = 2   # for style\n";
        let mut file: DocumentMut = before.parse().unwrap();
        for (student, problem, key, new) in [
            ("s1", Some("count"), "points", Value::from(12)),
            ("s2", None, "excused", Value::from(true)),
            ("s1", Some("count"), "points", Value::from(13)),
        ] {
            let target = Target {
                at: None,
                assignment: AssignmentId::new("week-3"),
                student: student.to_owned(),
                problem: problem.map(str::to_owned),
                subtask: None,
            };
            let table = target.table(&mut file, Path::new("")).unwrap();
            set(table, vec![(key, new)]);
        }
        let after = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\n# Late\npoints = 13   # for style\n\n\
            [[correction]]\nassignment = \"week-3\"\nstudent = \"s2\"\nexcused = true\n";
        assert_eq!(file.to_string(), after);
    }
}

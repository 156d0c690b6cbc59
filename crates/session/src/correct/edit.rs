//! Changes in a file of corrections.

use std::path::Path;

use grader_model::{AssignmentId, AssignmentInfo, ManualSubtask, Points, Results};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value, value};

use crate::exit::Failure;
use crate::path::shown;

/// Whose points a correction changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The student's id.
    pub student: String,
    /// The problem; `None` if all.
    pub problem: Option<String>,
    /// The subtask.
    pub subtask: Option<String>,
    /// The line of the source that it is about: each line has a correction of its own.
    pub at: Option<String>,
}

/// What is set in a correction: its keys and their values.
pub type Keys = Vec<(&'static str, Value)>;

/// A change of one student's points.
pub(super) struct Change {
    pub(super) target: Target,
    pub(super) keys: Keys,
    /// Where it is asked for, if that is a table.
    pub(super) place: Option<String>,
}

impl Change {
    /// What is set for a key.
    pub(super) fn key(&self, name: &str) -> Option<&Value> {
        let mut keys = self.keys.iter();
        keys.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// Points as they are written in the file.
pub fn points(text: &str) -> Result<Value, String> {
    if text.starts_with('-') {
        return Err("points must not be negative; to take points away, use `--add`".to_owned());
    }
    difference(text)
}

/// A change of points as it is written in the file.
pub fn difference(text: &str) -> Result<Value, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    Points::try_from(number.abs())?;
    let whole = text.parse::<i64>();
    Ok(whole.map_or_else(|_| Value::from(number), Value::from))
}

/// The keys that give points.
pub(super) const GIVES_POINTS: [&str; 3] = ["points", "add", "items"];
/// The keys that replace each other if that is asked for, each kind with those that go with it.
const KINDS: [&[&str]; 4] = [
    &["points", "add", "items", "excused", "bonus", "submission"],
    &["deadline"],
    &["attempt"],
    &["file"],
];

/// Whether a correction says more than its comment.
pub(super) fn says(table: &Table) -> bool {
    let mut keys = KINDS.iter().copied().flatten();
    keys.any(|it| *it != "submission" && table.contains_key(it))
}

/// Whether a correction with this `class`, if it has one, and this student is for the class.
pub(super) type IsOurs<'a> = dyn Fn(Option<&str>, &str) -> bool + 'a;

/// A file of corrections, and the class whose corrections are changed.
pub(super) struct Corrected<'a> {
    pub(super) file: &'a mut DocumentMut,
    pub(super) path: &'a Path,
    /// The name of the class in the file.
    pub(super) class: &'a str,
    /// Whether a correction of this student with this `class` is for the class.
    pub(super) is_ours: &'a IsOurs<'a>,
}

impl Corrected<'_> {
    fn tables(&mut self) -> Result<&mut ArrayOfTables, Failure> {
        let corrections = self.file.entry("correction");
        let corrections = corrections.or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        corrections.as_array_of_tables_mut().ok_or_else(|| {
            let path = shown(self.path);
            Failure::usage(format!("cannot add to `correction = […]` in `{path}`: write each correction below a heading `[[correction]]`"))
        })
    }

    /// The corrections of this target that are in the file.
    pub(super) fn of(&self, target: &Target) -> impl Iterator<Item = &Table> {
        let corrections = self.file.get("correction");
        let corrections = corrections.and_then(Item::as_array_of_tables).into_iter();
        corrections
            .flatten()
            .filter(|it| target.is_in(it, self.is_ours))
    }

    /// Adds a correction after those that are there.
    pub(super) fn add(&mut self, target: &Target, keys: &Keys) -> Result<(), Failure> {
        let class = self.class;
        let mut table = Table::new();
        table["assignment"] = value(target.assignment.as_str());
        table["class"] = value(class);
        table["student"] = value(&target.student);
        let of = [
            ("problem", &target.problem),
            ("subtask", &target.subtask),
            ("at", &target.at),
        ];
        for (key, id) in of {
            if let Some(id) = id {
                table[key] = value(id);
            }
        }
        for (key, new) in keys {
            table[*key] = value(new.clone());
        }
        self.tables()?.push(table);
        Ok(())
    }

    /// Takes back what earlier corrections say of what these keys say.
    pub(super) fn make_room(&mut self, target: &Target, keys: &Keys) -> Result<(), Failure> {
        let is_ours = self.is_ours;
        let of_kind = |key: &str| KINDS.iter().position(|kind| kind.contains(&key));
        let mut kinds = keys.iter().filter_map(|(key, _)| of_kind(key));
        let only_comment = kinds.clone().next().is_none();
        let has = |table: &Table, key| table.contains_key(key);
        let gone: Vec<&str> = kinds
            .by_ref()
            .flat_map(|kind| KINDS[kind])
            .copied()
            .collect();
        self.tables()?.retain(|table| {
            let is_whole = !says(table) && only_comment;
            !(target.is_in(table, is_ours) && is_whole)
        });
        for table in self
            .tables()?
            .iter_mut()
            .filter(|it| target.is_in(it, is_ours))
        {
            for key in &gone {
                table.remove(key);
            }
            // Its reason goes with what it said.
            if !gone.is_empty() && !says(table) && !has(table, "at") {
                table.remove("comment");
            }
        }
        self.tables()?
            .retain(|table| says(table) || has(table, "comment") || !target.is_in(table, is_ours));
        Ok(())
    }

    /// Binds the last correction to a submission.
    pub(super) fn bind(&mut self, submission: &str) -> Result<(), Failure> {
        let tables = self.tables()?;
        if let Some(last) = tables
            .len()
            .checked_sub(1)
            .and_then(|at| tables.get_mut(at))
        {
            last["submission"] = value(submission);
        }
        Ok(())
    }

    /// Removes the corrections of a target. Returns whether there was one.
    pub(super) fn remove(&mut self, target: &Target) -> bool {
        let is_ours = self.is_ours;
        let corrections = self.file.get_mut("correction");
        let corrections = corrections.and_then(Item::as_array_of_tables_mut);
        let Some(corrections) = corrections else {
            return false;
        };
        let all = corrections.len();
        corrections.retain(|table| !target.is_in(table, is_ours));
        corrections.len() < all
    }
}

impl Target {
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

    /// What it is about, for people: `ann square style`.
    pub(super) fn text(&self) -> String {
        let parts = [&self.problem, &self.subtask].into_iter().flatten();
        let parts: Vec<_> = [&self.student].into_iter().chain(parts).cloned().collect();
        parts.join(" ")
    }

    /// Whether a correction is of these points.
    fn is_in(&self, table: &Table, is_ours: &IsOurs<'_>) -> bool {
        let text = |key| table.get(key).and_then(Item::as_str);
        text("assignment").is_none_or(|id| id == self.assignment.as_str())
            && is_ours(text("class"), &self.student)
            && text("student") == Some(&self.student)
            && text("problem") == self.problem.as_deref()
            && text("subtask") == self.subtask.as_deref()
            && text("at") == self.at.as_deref()
    }
}

/// The submission of a target.
pub(super) fn submission<'a>(target: &Target, results: &'a Results) -> Option<&'a str> {
    let mut students = results.students.iter();
    let student = students.find(|it| it.id.as_str() == target.student)?;
    let mut problems = student.problems.iter();
    let problem = problems.find(|it| Some(it.id.as_str()) == target.problem.as_deref())?;
    problem.submission.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(student: &str, problem: Option<&str>) -> Target {
        Target {
            at: None,
            assignment: AssignmentId::new("week-3"),
            student: student.to_owned(),
            problem: problem.map(str::to_owned),
            subtask: None,
        }
    }

    #[test]
    fn what_is_there_stays_and_what_is_new_comes_after_it() {
        let before = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\n# Late\nadd = 2   # for style\n\n\
            [[correction]]\nclass = \"other\"\nstudent = \"s1\"\nproblem = \"count\"\nadd = 3\n";
        let mut file: DocumentMut = before.parse().unwrap();
        let mut corrected = Corrected {
            file: &mut file,
            path: Path::new(""),
            class: "class",
            is_ours: &|name, _| name.is_none_or(|it| it == "class"),
        };
        let ann = target("s1", Some("count"));
        let points = vec![("points", Value::from(12))];
        corrected.add(&ann, &points).unwrap();
        let excused = vec![("excused", Value::from(true))];
        corrected.add(&target("s2", None), &excused).unwrap();
        let added = "\n[[correction]]\nassignment = \"week-3\"\nclass = \"class\"\nstudent = \"s1\"\nproblem = \"count\"\npoints = 12\n\
            \n[[correction]]\nassignment = \"week-3\"\nclass = \"class\"\nstudent = \"s2\"\nexcused = true\n";
        assert_eq!(corrected.file.to_string(), format!("{before}{added}"));
        assert_eq!(corrected.of(&ann).count(), 2);
        corrected.make_room(&ann, &points).unwrap();
        assert_eq!(corrected.of(&ann).count(), 0);
        let left = corrected.file.to_string();
        assert!(
            left.contains("add = 3") && left.contains("excused"),
            "{left}"
        );
    }
}

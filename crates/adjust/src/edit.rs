//! Editing `corrections.toml`.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value, value};

/// The text of a file of corrections, to be edited. Comments and layout stay.
pub struct CorrectionsText(DocumentMut);

/// Why a file cannot be edited.
#[derive(Debug, thiserror::Error)]
#[error("`correction` must be a list of tables, `[[correction]]`")]
pub struct EditError;

/// What a correction sets, beside the student and the problem: each key with its value, as TOML.
pub type NewCorrection = Vec<(&'static str, Value)>;

impl CorrectionsText {
    /// The text of a file that was read without mistakes; an empty text is a new file.
    ///
    /// # Errors
    /// If it is not TOML.
    pub fn new(text: &str) -> Result<Self, toml_edit::TomlError> {
        let text = if text.trim().is_empty() {
            "# Corrections by hand: see `grader correct --help`.\nformat = 1\n"
        } else {
            text
        };
        Ok(Self(text.parse()?))
    }

    /// Sets these keys in the correction of this student and problem, which is added if there is none.
    ///
    /// # Errors
    /// If the corrections are not `[[correction]]`.
    pub fn set(
        &mut self,
        student: &str,
        problem: Option<&str>,
        keys: NewCorrection,
    ) -> Result<(), EditError> {
        let corrections = self
            .0
            .entry("correction")
            .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let corrections = corrections.as_array_of_tables_mut().ok_or(EditError)?;
        let is = |table: &Table, key: &str, wanted: Option<&str>| {
            table.get(key).and_then(Item::as_str) == wanted
        };
        let fits =
            |table: &Table| is(table, "student", Some(student)) && is(table, "problem", problem);
        let at = (0..corrections.len()).find(|at| corrections.get(*at).is_some_and(fits));
        let at = at.unwrap_or_else(|| {
            let mut table = Table::new();
            table["student"] = value(student);
            if let Some(problem) = problem {
                table["problem"] = value(problem);
            }
            corrections.push(table);
            corrections.len() - 1
        });
        let Some(table) = corrections.get_mut(at) else {
            return Ok(());
        };
        // One replaces the other.
        for (key, other) in [("points", "add"), ("add", "points")] {
            if keys.iter().any(|(new, _)| *new == key) {
                table.remove(other);
            }
        }
        for (key, new) in keys {
            // The comment behind a value stays.
            match table.get_mut(key).and_then(Item::as_value_mut) {
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = new;
                    *old.decor_mut() = decor;
                }
                None => table[key] = value(new),
            }
        }
        Ok(())
    }

    /// The text.
    pub fn text(&self) -> String {
        self.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_stay() {
        let before = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\nadd = 2   # for style\n";
        let mut file = CorrectionsText::new(before).unwrap();
        let points = |points: i64| vec![("points", Value::from(points))];
        file.set("s1", Some("count"), points(12)).unwrap();
        file.set("s2", None, vec![("excused", Value::from(true))])
            .unwrap();
        file.set("s1", Some("count"), points(13)).unwrap();
        let after = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\npoints = 13\n\n\
            [[correction]]\nstudent = \"s2\"\nexcused = true\n";
        assert_eq!(file.text(), after);
    }
}

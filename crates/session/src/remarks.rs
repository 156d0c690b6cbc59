//! Remarks for everybody who made the same mistake: for whom they are, and changes of their entries in files.

use std::path::{Path, PathBuf};

use grader_model::{ProblemId, ProblemResult};
use grader_problem::Correction;
use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, Table};

use crate::corrections::{Corrections, bytes_of};
use crate::exit::Failure;
use crate::path::shown;

impl Corrections {
    /// The entries for this group of a problem, those without a remark too.
    pub fn of_group(&self, id: &str, problem: &ProblemId) -> impl Iterator<Item = &Correction> {
        let list = self.list().iter();
        list.filter(move |it| it.group.as_deref() == Some(id) && it.covers(problem))
    }

    /// The remark for the group of a submission, if that came into the group later and nobody confirmed it.
    pub fn new_in(&self, problem: &ProblemResult) -> Option<&Correction> {
        let mut said = self.list().iter().filter(|it| it.says_something());
        said.find(|it| it.is_about(problem) && !self.has_remark(problem))
    }

    /// Whether a remark on its mistake is for a submission.
    pub fn has_remark(&self, problem: &ProblemResult) -> bool {
        let mut list = self.list().iter();
        list.any(|it| it.says_something() && it.is_for_group_of(problem))
    }

    /// The groups that are joined with this one.
    pub fn joined_with(&self, id: &str, problem: &ProblemId) -> Vec<String> {
        let entries = self.of_group(id, problem);
        entries.flat_map(|it| it.joined.iter().cloned()).collect()
    }

    /// The file of an entry, and its text after a change of the entry and of the others that are in the same file: `change` gets
    /// their places among all entries.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed meanwhile.
    pub fn edited(
        &self,
        entry: &Correction,
        others: &[&Correction],
        change: impl FnOnce(&mut ArrayOfTables, usize, &[usize]),
    ) -> Result<(PathBuf, String), Failure> {
        let file = file_of(entry);
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        let bytes = bytes_of(&path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = lines_of_entries(&text);
        let place = |it: &Correction| {
            let is_at = |line: &usize| it.place == format!("{file}:{line}");
            lines.iter().position(is_at)
        };
        let mut document = text.parse::<DocumentMut>().ok();
        let tables = document.as_mut().and_then(|it| it.get_mut("correction"));
        let tables = tables.and_then(Item::as_array_of_tables_mut);
        let Some((tables, at)) = tables.zip(place(entry)) else {
            let message = format!("`{}` has changed: try again", shown(&path));
            return Err(Failure::usage(message));
        };
        let others: Vec<_> = others.iter().filter_map(|it| place(it)).collect();
        change(tables, at, &others);
        let text = document.map_or_else(String::new, |it| it.to_string());
        Ok((path, text))
    }
}

/// The file that an entry is in, beside that of all corrections.
fn file_of(entry: &Correction) -> &str {
    let place = entry.place.rsplit_once(':');
    place.map_or(&*entry.place, |(file, _)| file)
}

/// The line of each entry of a file, from 1.
fn lines_of_entries(text: &str) -> Vec<usize> {
    let document = Document::parse(text).ok();
    let entries = document.as_ref().and_then(|it| it.get("correction"));
    let entries = entries.and_then(Item::as_array_of_tables).into_iter();
    let starts = entries.flatten().filter_map(Table::span);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    starts.map(|it| line(it.start)).collect()
}

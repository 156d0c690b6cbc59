//! Whose row is whose. Nothing is guessed: a row is a student's if they name the same, and nobody else does.

use std::collections::BTreeMap;

use grader_model::{StudentId, StudentResult};

use super::FillRemark;
use crate::cells::Sheet;

/// A way to tell that a row is a student's.
pub(crate) struct Key {
    /// The column, or those whose cells make up the name with a comma between.
    pub(crate) columns: Vec<usize>,
    /// Whether a student who has such a name and no row of it has no row at all: it is a number of this very system,
    /// and another name that fits would be a coincidence.
    pub(crate) strict: bool,
    /// The names that what stands there means.
    pub(crate) of_cell: fn(&str) -> Vec<String>,
    /// The names that a student has.
    pub(crate) of_student: fn(&StudentResult) -> Vec<String>,
}

/// The row of each student who has one, in the order of the students; the rest goes into the remarks.
pub(crate) fn match_rows(
    sheet: &Sheet<'_>,
    rows: &[usize],
    keys: &[Key],
    students: &[StudentResult],
    show: impl Fn(usize) -> String,
    remarks: &mut Vec<FillRemark>,
) -> Vec<Option<usize>> {
    let indices: Vec<BTreeMap<String, Vec<usize>>> =
        keys.iter().map(|key| index(sheet, rows, key)).collect();
    let found: Vec<Vec<usize>> = students
        .iter()
        .map(|student| candidates(student, keys, &indices))
        .collect();
    let mut claims: BTreeMap<usize, Vec<StudentId>> = BTreeMap::new();
    for (student, rows) in students.iter().zip(&found) {
        for row in rows {
            claims.entry(*row).or_default().push(student.id.clone());
        }
    }
    let mut matched = Vec::with_capacity(students.len());
    for (student, rows) in students.iter().zip(&found) {
        let student = student.id.clone();
        matched.push(match rows.as_slice() {
            [] => {
                remarks.push(FillRemark::NoRow { student });
                None
            }
            [row] if claims[row].len() > 1 => {
                remarks.push(FillRemark::SharedRow {
                    line: sheet.line(*row),
                    student,
                    others: claims[row].len() - 1,
                });
                None
            }
            [row] => Some(*row),
            several => {
                let lines = several.iter().map(|row| sheet.line(*row)).collect();
                remarks.push(FillRemark::SeveralRows { student, lines });
                None
            }
        });
    }
    for row in rows.iter().filter(|row| !claims.contains_key(row)) {
        remarks.push(FillRemark::NoStudent {
            line: sheet.line(*row),
            who: show(*row),
        });
    }
    matched
}

/// The rows of each name in the columns of a key.
fn index(sheet: &Sheet<'_>, rows: &[usize], key: &Key) -> BTreeMap<String, Vec<usize>> {
    let mut index: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in rows {
        let cells = key.columns.iter();
        let cells: Vec<String> = cells.map(|column| sheet.trimmed(*row, *column)).collect();
        for name in (key.of_cell)(&cells.join(", ")) {
            if !name.is_empty() {
                index.entry(name).or_default().push(*row);
            }
        }
    }
    index
}

/// The rows that may be a student's, by the first key that tells.
fn candidates(
    student: &StudentResult,
    keys: &[Key],
    indices: &[BTreeMap<String, Vec<usize>>],
) -> Vec<usize> {
    for (key, index) in keys.iter().zip(indices) {
        let names = (key.of_student)(student);
        let mut rows: Vec<usize> = names
            .iter()
            .filter_map(|name| index.get(name.trim()))
            .flatten()
            .copied()
            .collect();
        rows.sort_unstable();
        rows.dedup();
        if !rows.is_empty() || (key.strict && !names.is_empty()) {
            return rows;
        }
    }
    Vec::new()
}

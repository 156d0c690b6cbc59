//! Whose row is whose. Nothing is guessed: a row is a student's if they name the same, and nobody else does.

use std::collections::BTreeMap;

use grader_model::{StudentId, StudentResult};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

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
    /// Whether the row must not tell another full name than we know: a number says little of whom it means, for a system
    /// numbers teams and users apart, and so do two assignments.
    pub(crate) is_number: bool,
}

/// A table, with the rows that may be students'.
pub(crate) struct Table<'a> {
    pub(crate) sheet: &'a Sheet<'a>,
    pub(crate) rows: &'a [usize],
    /// The columns of the full name, in the order of the file; none where the table does not tell it.
    pub(crate) name: Vec<usize>,
}

impl Table<'_> {
    /// The full name in a row; nothing where the row does not tell it.
    fn name(&self, row: usize) -> Option<String> {
        let cells = self.name.iter();
        let cells: Vec<String> = cells
            .map(|column| self.sheet.trimmed(row, *column))
            .filter(|cell| !cell.is_empty())
            .collect();
        (!cells.is_empty()).then(|| cells.join(", "))
    }
}

/// The row of each student who has one, in the order of the students; the rest goes into the remarks.
pub(crate) fn match_rows(
    table: &Table<'_>,
    keys: &[Key],
    students: &[StudentResult],
    show: impl Fn(usize) -> String,
    remarks: &mut Vec<FillRemark>,
) -> Vec<Option<usize>> {
    let (sheet, rows) = (table.sheet, table.rows);
    let indices: Vec<BTreeMap<String, Vec<usize>>> =
        keys.iter().map(|key| index(sheet, rows, key)).collect();
    let found: Vec<(Vec<usize>, bool)> = students
        .iter()
        .map(|student| candidates(student, keys, &indices))
        .collect();
    let mut claims: BTreeMap<usize, Vec<StudentId>> = BTreeMap::new();
    for (student, (rows, _)) in students.iter().zip(&found) {
        for row in rows {
            claims.entry(*row).or_default().push(student.id.clone());
        }
    }
    let mut matched = Vec::with_capacity(students.len());
    for (student, (rows, by_number)) in students.iter().zip(&found) {
        let known = student.person.as_ref().and_then(|p| p.name.as_deref());
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
            [row] => match (table.name(*row), known.filter(|_| *by_number)) {
                (Some(name), Some(known)) if !may_be_one(&name, known) => {
                    remarks.push(FillRemark::OtherName {
                        student,
                        line: sheet.line(*row),
                        name,
                        known: known.to_owned(),
                    });
                    None
                }
                _ => Some(*row),
            },
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

/// The rows that may be a student's, by the first key that tells, and whether that is a number.
fn candidates(
    student: &StudentResult,
    keys: &[Key],
    indices: &[BTreeMap<String, Vec<usize>>],
) -> (Vec<usize>, bool) {
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
            return (rows, key.is_number);
        }
    }
    (Vec::new(), false)
}

/// Whether two full names may be those of one person: the same letters in any order, or one is a part of the other, whole
/// words of it. Signs, accents, case and blanks do not count.
///
/// Canvas writes `Lee, Ann` as `leeann`, a roster leaves out a middle name. A name that is left with no letters tells
/// nothing.
fn may_be_one(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let part = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    letters(&a) == letters(&b) || part(&a, &b) || part(&b, &a)
}

/// The words of a name, without what does not count.
fn words(name: &str) -> Vec<String> {
    let bare: String = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’' | '.'))
        .collect();
    bare.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// All letters, sorted.
fn letters(words: &[String]) -> Vec<char> {
    let mut letters: Vec<char> = words.iter().flat_map(|word| word.chars()).collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_written_in_two_ways_are_one() {
        for (a, b) in [
            ("Lee, Ann", "ann lee"),
            ("leeann", "Ann Lee"),
            ("Ann Beatrice Lee", "Ann Lee"),
            ("José O'Neil", "Jose ONeil"),
            ("李 雷", "李雷"),
            ("韩梅梅", "韩梅梅 (2023)"),
            ("-", "Ann Lee"),
        ] {
            assert!(may_be_one(a, b) && may_be_one(b, a), "{a} {b}");
        }
    }

    #[test]
    fn names_of_two_people_are_two() {
        for (a, b) in [
            ("Team 7", "Bo Li"),
            ("Ann Lee", "Bo Lee"),
            ("Ann Lee", "Annabel Lee"),
            ("李雷", "李梅"),
        ] {
            assert!(!may_be_one(a, b) && !may_be_one(b, a), "{a} {b}");
        }
    }
}

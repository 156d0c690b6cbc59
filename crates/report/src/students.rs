//! A file for each student: their own report.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use grader_model::{Results, StudentId};

use crate::atomic::{WriteError, WriteStep, atomic_write};
use crate::feedback::OwnReports;
use crate::style::Style;

/// The report of one student as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudentFile {
    /// Whose it is.
    pub student: StudentId,
    /// Its name, the same in every class: `s01.txt`.
    pub name: String,
    /// Its content, UTF-8.
    pub bytes: Vec<u8>,
}

/// The reports of all students, in the order of the class, each made of what that student may see.
///
/// A file has the name of the student's id where every file system takes that as it is; else signs that one does not
/// take are `_`, and a hash of the id follows. So no two students share a file, whatever they are called, even where
/// case makes no difference.
pub fn student_files(results: &Results, style: &Style) -> impl Iterator<Item = StudentFile> {
    let names = names(results.students.iter().map(|student| student.id.as_str()));
    let mut reports = OwnReports::new(results, style);
    let students = results.students.iter().zip(names);
    students.map(move |(student, name)| StudentFile {
        student: student.id.clone(),
        name,
        bytes: reports.of(student).into_bytes(),
    })
}

/// Writes the reports of all students into a folder, which is made where it is not there, and answers how many.
///
/// Each file appears whole or not at all. Files of the same names are replaced, and nothing else is touched: the
/// report of a student who is no longer in the class stays.
///
/// # Errors
/// When a file or the folder cannot be written; those that were written before stay.
pub fn write_student_files(
    folder: &Path,
    results: &Results,
    style: &Style,
) -> Result<usize, WriteError> {
    fs::create_dir_all(folder).map_err(|source| WriteError {
        path: folder.to_owned(),
        step: WriteStep::Create,
        source,
    })?;
    let mut count = 0;
    for file in student_files(results, style) {
        atomic_write(&folder.join(&file.name), |out| out.write_all(&file.bytes))?;
        count += 1;
    }
    Ok(count)
}

/// Longest stem of a file's name, in bytes; file systems take 255 with what temporary names add.
const LONGEST: usize = 120;

/// Names that Windows keeps for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Names of files for these ids.
fn names<'a>(ids: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut same: BTreeMap<String, usize> = BTreeMap::new();
    for id in ids.clone() {
        *same.entry(id.to_lowercase()).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    ids.map(|id| {
        let clean = clean(id);
        let stem = if clean == id && same[&id.to_lowercase()] == 1 && !is_device(id) {
            clean
        } else {
            format!("{clean}-{:016x}", hash(id))
        };
        let mut name = format!("{stem}.txt");
        let mut again = 2;
        // Only where somebody made ids of the same hash, or an id that looks like a name of ours.
        while !taken.insert(name.to_lowercase()) {
            name = format!("{stem}-{again}.txt");
            again += 1;
        }
        name
    })
    .collect()
}

/// The id with `_` for what some file system does not take, cut to the longest stem.
fn clean(id: &str) -> String {
    let mut clean = String::new();
    for (index, c) in id.chars().enumerate() {
        let plain =
            c.is_alphanumeric() || c == '_' || (index > 0 && matches!(c, '-' | '.' | '@' | '+'));
        if clean.len() + c.len_utf8() > LONGEST {
            break;
        }
        clean.push(if plain { c } else { '_' });
    }
    if clean.is_empty() {
        clean.push('_');
    }
    clean
}

/// Whether Windows takes a name for a device, whatever follows the first point: `con`, `com1`.
fn is_device(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or_default().to_lowercase();
    DEVICES.contains(&stem.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// FNV-1a, 64 bits: short, and the same for ever.
fn hash(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;

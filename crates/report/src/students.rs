//! The report of each student, and a folder with a file for each.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::slice;

use grader_model::{Results, StudentResult};
use sha2::{Digest as _, Sha256};

use crate::atomic::{WriteError, sweep, write_whole};
use crate::audience::student_view;
use crate::style::Style;
use crate::terminal;

/// The report that a student reads, made only of what that student may see. It has no colour.
pub fn student_report(results: &Results, student: &StudentResult, style: &Style) -> String {
    let style = Style {
        color: false,
        ..*style
    };
    terminal::personal(&student_view(results, slice::from_ref(student)), &style)
}

/// Writes the report of each student into a folder, which is made if it is not there.
///
/// Each file appears whole or not at all. A file of the same name is replaced and nothing else is touched: the report of
/// a student who left the class stays.
///
/// # Errors
/// If a file or the folder cannot be written; what was written before stays.
pub fn write_student_files(
    folder: &Path,
    results: &Results,
    style: &Style,
) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(WriteError::of(folder))?;
    sweep(folder);
    for student in &results.students {
        let report = student_report(results, student, style);
        let path = folder.join(file_stem(student.id.as_str()) + ".txt");
        write_whole(&path, |out| out.write_all(report.as_bytes()))?;
    }
    Ok(())
}

/// File systems take 255 bytes, of which temporary names need some.
const MAX_STEM_BYTES: usize = 200;

/// The name of the file of a student, without its extension: the id, with `%2F` for `/` and the like, so that no two
/// students share a file, now or when others join. If it is too long, a hash follows its first letters.
pub(crate) fn file_stem(id: &str) -> String {
    let mut stem = String::new();
    for (at, c) in id.char_indices() {
        if c.is_alphanumeric() || c == '_' || (at > 0 && "-.@+".contains(c)) {
            stem.push(c);
            continue;
        }
        for byte in c.to_string().bytes() {
            // Writing to a String cannot fail.
            let _ = write!(stem, "%{byte:02X}");
        }
    }
    if stem.is_empty() || stem.len() > MAX_STEM_BYTES {
        let begin: String = stem.chars().take(MAX_STEM_BYTES / 8).collect();
        // Nothing else writes two percent signs.
        stem = format!("{begin}%%");
        for byte in &Sha256::digest(id)[..8] {
            let _ = write!(stem, "{byte:02x}");
        }
    }
    stem
}

#[cfg(test)]
mod tests;

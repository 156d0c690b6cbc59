//! The report of each student, and a folder with a file for each.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use grader_model::{Results, StudentResult};

use crate::Audience;
use crate::atomic::{WriteError, WriteStep, atomic_write};
use crate::style::Style;
use crate::terminal;

/// The report that a student reads, made only of what that student may see. It has no colour.
pub fn student_report(results: &Results, student: &StudentResult, style: &Style) -> String {
    let own = Results {
        format: results.format,
        run: None,
        assignment: results.assignment.clone(),
        host: results.host.clone(),
        isolation: results.isolation.clone(),
        students: vec![student.clone()],
        unused: Vec::new(),
        reference_times: Vec::new(),
        interrupted: results.interrupted,
    };
    let style = Style {
        color: false,
        ..*style
    };
    terminal::personal(&Audience::Student.view(&own), &style)
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
    fs::create_dir_all(folder).map_err(|source| WriteError {
        path: folder.to_owned(),
        step: WriteStep::Create,
        source,
    })?;
    let mut seen = BTreeSet::new();
    for student in &results.students {
        let report = student_report(results, student, style);
        let id = student.id.as_str();
        // Windows and macOS take `Bob` and `bob` for the same name.
        let is_first = seen.insert(id.to_lowercase());
        let path = folder.join(file_name(id, is_first));
        atomic_write(&path, |out| out.write_all(report.as_bytes()))?;
    }
    Ok(())
}

/// File systems take 255 bytes, of which temporary names need some.
const MAX_STEM_BYTES: usize = 120;

/// The name of the file of a student: the id, or if not every file system takes that as it is, the id with `_` for what
/// they refuse and a hash, so that no two students share a file. The first who has it in whatever case has the plain name.
fn file_name(id: &str, is_first: bool) -> String {
    let begins_plain = id.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_plain = id
        .chars()
        .all(|c| c.is_alphanumeric() || "_-.@+".contains(c));
    if is_first && begins_plain && is_plain && id.len() <= MAX_STEM_BYTES && !is_device(id) {
        return format!("{id}.txt");
    }
    let mut stem = String::new();
    for c in id.chars() {
        let c = if c.is_alphanumeric() { c } else { '_' };
        if stem.len() + c.len_utf8() <= MAX_STEM_BYTES {
            stem.push(c);
        }
    }
    // FNV-1a: short, and the same in every version.
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{stem}_{hash:016x}.txt")
}

/// Whether Windows takes a name for a device, whatever follows the first point: `con`, `com1`.
fn is_device(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or_default().to_lowercase();
    let name = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    ["con", "prn", "aux", "nul", "com", "lpt"].contains(&name)
}

#[cfg(test)]
pub(crate) mod tests;

//! A folder with the report of each student.

use std::path::Path;

use grader_model::Results;
use grader_report::{Style, file_stem, student_report};

use crate::atomic::{WriteError, create_folders, sweep, write_whole};

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
    create_folders(folder).map_err(WriteError::of(folder))?;
    sweep(folder);
    for student in &results.students {
        let report = student_report(results, student, style);
        let path = folder.join(file_stem(student.id.as_str()) + ".txt");
        write_whole(&path, |out| out.write_all(report.as_bytes()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_gets_a_file_for_each_student_and_keeps_what_was_in_it() {
        let results = crate::pages::tests::sample();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("reports");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        fs::write(folder.join("s01.txt"), "old").unwrap();
        let style = Style {
            color: true,
            ..Style::default()
        };
        write_student_files(&folder, &results, &style).unwrap();
        let mut names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let expected = [
            "notes.txt",
            "s01.txt",
            "s02.txt",
            "s03.txt",
            "s10.txt",
            "s11.txt",
            "李雷.txt",
        ];
        assert_eq!(names, expected);
        assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
        for student in &results.students {
            let text = fs::read_to_string(folder.join(format!("{}.txt", student.id))).unwrap();
            assert_eq!(text, student_report(&results, student, &style));
            assert!(
                !text.contains("14200") && !text.contains("suspiciously") && !text.contains('\x1b')
            );
        }
        write_student_files(&folder.join("notes.txt"), &results, &style).unwrap_err();
    }
}

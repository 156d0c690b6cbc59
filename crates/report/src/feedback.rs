//! Moodle's feedback: a zip of pages to give back, and comments in a worksheet.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Cursor, Write};

use grader_model::{Results, StudentResult, System};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::fill::FillRemark;
use crate::student_report;
use crate::style::{Style, safe};

/// What our part of a comment begins and ends with, so that it is found again.
const OPEN: &str = "<pre class=\"bitcraft\">";
const CLOSE: &str = "</pre>";

/// A report as our part of a comment, and whether its last lines were left out to keep to `most` bytes.
pub(crate) fn preformatted(text: &str, most: usize, style: &Style) -> (String, bool) {
    let lines: Vec<String> = text.trim_end().lines().map(escape_html).collect();
    let whole = lines.join("\n");
    if OPEN.len() + whole.len() + CLOSE.len() <= most {
        return (format!("{OPEN}{whole}{CLOSE}"), false);
    }
    // Leaves room for the sentence about what is left out.
    let room = most.saturating_sub(OPEN.len() + CLOSE.len() + 64);
    let mut used = 0;
    let fitting = lines.iter().take_while(|line| {
        used += line.len() + 1;
        used <= room
    });
    let fitting = fitting.count();
    let more = style.words().more_lines(lines.len() - fitting);
    let mut shown = lines[..fitting].to_vec();
    shown.push(format!("… {}", escape_html(&more)));
    (format!("{OPEN}{}{CLOSE}", shown.join("\n")), true)
}

/// A comment with our part in it: instead of an older one of ours, else after what the teacher wrote.
pub(crate) fn merged(comment: &str, ours: &str) -> String {
    let old = comment
        .split_once(OPEN)
        .and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let (before, after) = old.unwrap_or((comment, ""));
    format!("{before}{ours}{after}")
}

/// A text in HTML, in an element or an attribute. The characters that Moodle's filters act on (`$$`, `{…}`, `[[…]]`,
/// `\(`, `@@`) become references too.
fn escape_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        if "&<>\"'$@[]\\{}".contains(c) {
            // Writing to a String cannot fail.
            let _ = write!(html, "&#{};", c as u32);
        } else {
            html.push(c);
        }
    }
    html
}

/// Writes a zip of feedback files for Moodle's *Upload multiple feedback files in a zip*.
///
/// Each student has a page `feedback.html` in the folder of Moodle's own download,
/// `Full Name_12345_assignsubmission_file_`, of which Moodle reads the number. The same results give the same bytes.
///
/// Returns who was left out: students without a Moodle ID, or who share one.
///
/// # Errors
/// If writing fails.
pub fn write_moodle_feedback(
    results: &Results,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<Vec<FillRemark>> {
    let mut remarks = Vec::new();
    let mut by_number: BTreeMap<&str, Vec<&StudentResult>> = BTreeMap::new();
    for student in &results.students {
        match moodle_number(student) {
            None => remarks.push(FillRemark::NoNumber {
                student: student.id.clone(),
            }),
            Some(number) => {
                let number = number.trim_start_matches('0');
                by_number.entry(number).or_default().push(student);
            }
        }
    }
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, students) in by_number {
        let [student] = students.as_slice() else {
            remarks.extend(students.iter().map(|student| FillRemark::SharedNumber {
                student: student.id.clone(),
                number: number.to_owned(),
            }));
            continue;
        };
        let (name, number) = (
            folder_name(student),
            moodle_number(student).unwrap_or(number),
        );
        let path = format!("{name}_{number}_assignsubmission_file_/feedback.html");
        zip.start_file(path, options)?;
        zip.write_all(page(results, student, style).as_bytes())?;
    }
    out.write_all(zip.finish()?.get_ref())?;
    Ok(remarks)
}

/// The Moodle ID of a student, if there is one and it is a number.
pub(crate) fn moodle_number(student: &StudentResult) -> Option<&str> {
    let number = student.person.as_ref()?.ids.get(&System::Moodle)?.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}

/// A student's name in the name of a folder: without underscores, at which Moodle cuts it, and without what a file
/// system refuses. Moodle skips names that begin with a point.
fn folder_name(student: &StudentResult) -> String {
    let person = student.person.as_ref();
    let name = person.and_then(|person| person.name.as_deref());
    let plain = |c: char| {
        if c.is_alphanumeric() || "-.',".contains(c) {
            c
        } else {
            ' '
        }
    };
    let plain: String = name
        .unwrap_or_default()
        .chars()
        .map(plain)
        .take(80)
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    match words.join(" ").trim_start_matches(['.', ' ']) {
        "" => "Participant".to_owned(),
        name => name.to_owned(),
    }
}

fn page(results: &Results, student: &StudentResult, style: &Style) -> String {
    let language = style.lang.pick("en", "zh-Hans");
    let title = escape_html(&safe(student.id.as_str()));
    let report = escape_html(student_report(results, student, style).trim_end());
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         </head>\n<body>\n<pre>{report}</pre>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests;

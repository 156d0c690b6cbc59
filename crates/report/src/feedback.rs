//! A student's own report as a system shows it to them: inside a comment, or as a file to give back.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};

use grader_model::{Results, StudentResult, System};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::audience::Audience;
use crate::fill::FillRemark;
use crate::style::Style;
use crate::terminal;

/// The personal reports of a class, each made of what that student may see and of nothing else.
pub(crate) struct OwnReports {
    /// The results as a student sees them, without students.
    frame: Results,
    style: Style,
}

impl OwnReports {
    /// Reports in the language, width and signs of a style, without colour.
    pub(crate) fn new(results: &Results, style: &Style) -> Self {
        let nobody = Results {
            format: results.format,
            run: None,
            assignment: results.assignment.clone(),
            host: results.host.clone(),
            isolation: results.isolation.clone(),
            students: Vec::new(),
            unused: Vec::new(),
            reference_times: Vec::new(),
            interrupted: results.interrupted,
        };
        Self {
            frame: Audience::Student.view(&nobody).into_owned(),
            style: Style {
                color: false,
                ..*style
            },
        }
    }

    /// The report of one student.
    pub(crate) fn of(&mut self, student: &StudentResult) -> String {
        self.frame.students = vec![Audience::Student.student(student).into_owned()];
        terminal::personal(&self.frame, &self.style)
    }
}

/// What our part of a comment begins and ends with, so that it is found again.
const OPEN: &str = "<pre class=\"bitcraft\">";
const CLOSE: &str = "</pre>";

/// A text as HTML that shows it as it is, and whether its end was left out to keep to `most` bytes.
///
/// Signs that filters of a learning platform take for commands (`$$`, `{…}`, `[[…]]`, `\(`, `@@`) are spelled as
/// character references too.
pub(crate) fn preformatted(text: &str, most: usize, style: &Style) -> (String, bool) {
    let mut html = OPEN.to_owned();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    // Room for the sentence that tells how much is left out.
    let room = most.saturating_sub(CLOSE.len() + 64);
    for (index, line) in lines.iter().enumerate() {
        let line = escape_html(line);
        if html.len() + line.len() + 1 > room {
            let left = style.words().more_lines(lines.len() - index);
            if index > 0 {
                html.push('\n');
            }
            html.push_str(&escape_html(&format!("… {left}")));
            html.push_str(CLOSE);
            return (html, true);
        }
        if index > 0 {
            html.push('\n');
        }
        html.push_str(&line);
    }
    html.push_str(CLOSE);
    (html, false)
}

/// A comment with our part in it: in the place of an older one of ours, else after what the teacher wrote.
pub(crate) fn merged(comment: &str, ours: &str) -> String {
    let old = comment.find(OPEN).and_then(|from| {
        let length = comment[from..].find(CLOSE)?;
        Some((from, from + length + CLOSE.len()))
    });
    match old {
        Some((from, to)) => format!("{}{ours}{}", &comment[..from], &comment[to..]),
        None => format!("{comment}{ours}"),
    }
}

/// A text in HTML, in an element or in an attribute.
pub(crate) fn escape_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' | '$' | '@' | '[' | ']' | '\\' | '{' | '}' => {
                html.push_str("&#");
                html.push_str(&(c as u32).to_string());
                html.push(';');
            }
            c => html.push(c),
        }
    }
    html
}

/// Writes a zip of feedback files that Moodle takes back ("Upload multiple feedback files in a zip").
///
/// Each student has the folder of Moodle's own download, `Full Name_12345_assignsubmission_file_`, where Moodle reads
/// the number and the parts between the underscores; the name is for people, without signs that a file system
/// refuses. In it is one page, `feedback.html`. The content is what the student may see. The same results give the same bytes: entries stand in the
/// order of their paths and carry the first date that a zip can say.
///
/// The answer tells of students who have no number of Moodle, or share one; they are left out.
///
/// # Errors
/// When writing fails.
pub fn write_moodle_feedback(
    results: &Results,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<Vec<FillRemark>> {
    let mut remarks = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let bare = |number: &'_ str| number.trim_start_matches('0').to_owned();
    for number in results.students.iter().filter_map(moodle_number) {
        *numbers.entry(bare(number)).or_default() += 1;
    }
    let mut folders: BTreeMap<String, &StudentResult> = BTreeMap::new();
    for student in &results.students {
        let id = student.id.clone();
        match moodle_number(student) {
            None => remarks.push(FillRemark::NoNumber { student: id }),
            Some(number) if numbers[&bare(number)] > 1 => remarks.push(FillRemark::SharedNumber {
                student: id,
                number: number.to_owned(),
            }),
            Some(number) => {
                let name = folder_name(student);
                folders.insert(format!("{name}_{number}_assignsubmission_file_"), student);
            }
        }
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut reports = OwnReports::new(results, style);
    for (folder, student) in folders {
        let report = reports.of(student);
        zip.start_file(format!("{folder}/feedback.html"), options)?;
        zip.write_all(page(&report, student, style).as_bytes())?;
    }
    out.write_all(zip.finish()?.get_ref())?;
    Ok(remarks)
}

/// Moodle's number of a student, where there is one and it is a number.
pub(crate) fn moodle_number(student: &StudentResult) -> Option<&str> {
    let number = student.person.as_ref()?.ids.get(&System::Moodle)?.trim();
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits.then_some(number)
}

/// A student's name as a part of a folder's name: without underscores, by which Moodle cuts it, and without signs that
/// a file system refuses.
fn folder_name(student: &StudentResult) -> String {
    let name = student
        .person
        .as_ref()
        .and_then(|person| person.name.as_deref())
        .unwrap_or_default();
    let kept: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '.' | '\'' | ',') {
                c
            } else {
                ' '
            }
        })
        .take(80)
        .collect();
    let words: Vec<&str> = kept.split(' ').filter(|word| !word.is_empty()).collect();
    // Moodle passes over names that begin with a point.
    let name = words.join(" ").trim_start_matches('.').trim().to_owned();
    if name.is_empty() {
        "Participant".to_owned()
    } else {
        name
    }
}

/// A report as a page of its own.
fn page(report: &str, student: &StudentResult, style: &Style) -> String {
    let language = style.lang.pick("en", "zh-Hans");
    let title = escape_html(&crate::style::safe(student.id.as_str()));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         </head>\n<body>\n<pre>{}</pre>\n</body>\n</html>\n",
        escape_html(report.trim_end())
    )
}

#[cfg(test)]
mod tests;

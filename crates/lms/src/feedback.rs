//! Feedback for students: a comment in a gradebook, and Moodle's zip of feedback files.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write};

use grader_model::{ClassId, Lang, StudentResult, System, Text, escape_html};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use crate::reason::about;

/// Our part of a comment begins and ends with these, so that it is found again.
const OPEN: &str = "<pre class=\"bitcraft\">";
const CLOSE: &str = "</pre>";

/// A spreadsheet program cuts a cell after 32,767 characters.
const MAX_COMMENT_BYTES: usize = 30_000;

/// A text as HTML that shows it as it is, as far as it fits into a cell.
pub(crate) fn preformatted(text: &str, lang: Lang) -> String {
    let (mut html, mut left) = (OPEN.to_owned(), 0);
    for line in text
        .trim_end()
        .lines()
        .map(|line| escape_html(line, COMMANDS))
    {
        if left > 0 || html.len() + line.len() > MAX_COMMENT_BYTES {
            left += 1;
        } else {
            html += &line;
            html.push('\n');
        }
    }
    if left > 0 {
        let (en, zh) = ("… lines left out: ", "……未显示的行数：");
        // Writing to a string cannot fail.
        let _ = write!(html, "{}{left}", lang.pick(en, zh));
    }
    html.trim_end().to_owned() + CLOSE
}

/// A comment with our part in it: in the place of an older one, else after what the teacher wrote.
pub(crate) fn merged(comment: &str, ours: &str) -> String {
    let old = comment.split_once(OPEN);
    let old = old.and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let (before, after) = old.unwrap_or((comment, ""));
    format!("{before}{ours}{after}")
}

/// Signs that filters of a learning platform take for commands: `$$`, `{…}`, `[[…]]`, `\(`, `@@`.
const COMMANDS: &str = "$@[]\\{}";

/// Writes a zip of feedback files that Moodle takes back ("Upload multiple feedback files in a zip").
///
/// Each student has the folder of Moodle's own download, `Full Name_12345_assignsubmission_file_`, with the student's
/// page in it, which loads nothing: Moodle lets students download the file as it is, without its filters. Moodle reads the number and the parts between the underscores; the name is for people. The same results give the same bytes.
///
/// The comment of the zip says of which class it is. The answer names the students who have no participant number, or share
/// one; they are left out.
///
/// # Errors
/// When writing fails.
pub fn write_moodle_feedback(
    class: &ClassId,
    students: &[StudentResult],
    page: &dyn Fn(&StudentResult) -> io::Result<String>,
    out: &mut dyn Write,
) -> io::Result<Vec<Text>> {
    let number = |student: &StudentResult| {
        let number = student.person.as_ref()?.ids.get(&System::Moodle)?;
        number.trim().parse::<u64>().ok()
    };
    let numbers: Vec<Option<u64>> = students.iter().map(number).collect();
    let mut remarks = Vec::new();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.set_comment(class.to_string())?;
    let options = SimpleFileOptions::DEFAULT.last_modified_time(DateTime::DEFAULT);
    for (student, number) in students.iter().zip(&numbers) {
        let Some(number) = number else {
            let en = "has no Moodle participant ID";
            remarks.push(about(student, en, "没有 Moodle 参与者编号"));
            continue;
        };
        if numbers.iter().filter(|it| **it == Some(*number)).count() > 1 {
            let en = format!("several students have the Moodle participant ID {number}");
            let zh = format!("Moodle 参与者编号 {number} 属于不止一名学生");
            remarks.push(about(student, &en, &zh));
            continue;
        }
        let name = folder_name(student);
        let path = format!("{name}_{number}_assignsubmission_file_/feedback.html");
        zip.start_file(path, options)?;
        zip.write_all(page(student)?.as_bytes())?;
    }
    out.write_all(zip.finish()?.get_ref())?;
    Ok(remarks)
}

/// A student's name as a part of a folder's name: without underscores, at which Moodle cuts it, and without signs that a
/// file system refuses. Moodle passes over names that begin with a point.
fn folder_name(student: &StudentResult) -> String {
    let is_cut = |c: char| !c.is_alphanumeric() && !"-.',".contains(c);
    let name = student.person.as_ref().and_then(|it| it.name.as_deref());
    let name = name.unwrap_or_default().replace(is_cut, " ");
    let words: Vec<&str> = name.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(80).collect();
    match name.trim_start_matches(['.', ' ']).trim_end() {
        "" => "Participant".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_report_is_html() {
        assert_eq!(
            preformatted("a < b & \"c\"\n</pre>$$ {x} [[y]] @@ \\(\n", Lang::En),
            "<pre class=\"bitcraft\">a &lt; b &amp; &quot;c&quot;\n&lt;/pre&gt;&#36;&#36; &#123;x&#125; &#91;&#91;y&#93;&#93; \
             &#64;&#64; &#92;(</pre>"
        );
    }

    #[test]
    fn our_part_of_a_comment_is_replaced_and_the_teachers_stays() {
        let [first, second] = ["1", "2"].map(|text| preformatted(text, Lang::En));
        let once = format!("{} bye", merged("Dear Ann <pre>x</pre>", &first));
        assert_eq!(once, format!("Dear Ann <pre>x</pre>{first} bye"));
        assert_eq!(
            merged(&once, &second),
            format!("Dear Ann <pre>x</pre>{second} bye")
        );
    }

    #[test]
    fn a_long_report_is_cut_between_lines() {
        let html = preformatted(&"0123456789\n".repeat(10_000), Lang::En);
        assert!(html.len() <= MAX_COMMENT_BYTES + 100);
        assert!(
            html.ends_with("0123456789\n… lines left out: 7275</pre>"),
            "{}",
            &html[html.len() - 50..]
        );
    }
}

//! Results as Markdown: a table and the explanations of each student.

use std::fmt::Write as _;
use std::io::{self, Write};

use grader_model::Lang;
use grader_view::{Audience, ClassView, StudentView};

use crate::document;
use crate::style::{Style, painted, safe_on_page};
use crate::words::Words;

/// Writes results as GitHub-flavoured Markdown: a table, and the explanations of each student folded below it. A student
/// reads one row and the own explanations unfolded.
///
/// What comes from outside has all punctuation escaped, or stands in a fence longer than any run of backticks in it:
/// Markdown, HTML, links, `@mentions` and `#1` mean nothing there.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_markdown(class: &ClassView<'_>, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(markdown(class, lang, usize::MAX).as_bytes())
}

/// The same, at most so many bytes long: whole rows and sections are left out, and the last line says how many.
pub(crate) fn markdown(class: &ClassView<'_>, lang: Lang, max_bytes: usize) -> String {
    let words = Words::of(lang);
    let room = max_bytes.saturating_sub(NOTE_BYTES);
    let columns = document::columns(class, words);
    let plain = |text: &str| markdown_text(&painted(text, false));
    let heads = columns
        .iter()
        .map(|it| it.head.each_ref().map(|it| plain(it)).join("<br>"));
    let heads = heads.collect::<Vec<_>>().join(" | ");
    let (heading, student) = (heading(class, words), words.student());
    let rule = " --: |".repeat(columns.len());
    let mut page = format!("{heading}| {student} | {heads} |\n| :-- |{rule}\n");
    let students = &class.students;
    let rows = students.iter().enumerate().map(|(index, student)| {
        let cells: Vec<String> = columns
            .iter()
            .map(|it| plain(&it.cells[index].text()))
            .collect();
        let who = markdown_text(&Words::who_on_page(student));
        format!("| {who} | {} |\n", cells.join(" | "))
    });
    let sections = students.iter();
    let sections = sections.map(|student| section(student, class, lang));
    let mut left_out = 2 * students.len();
    for text in rows.chain(sections) {
        if page.len() + text.len() > room {
            break;
        }
        page.push_str(&text);
        left_out -= 1;
    }
    if left_out > 0 {
        page.extend(["\n_", &words.left_out(max_bytes, left_out), "_\n"]);
    }
    page
}

/// Room for the line that says how much was left out.
const NOTE_BYTES: usize = 160;

/// The title, and what was graded.
fn heading(class: &ClassView<'_>, words: Words) -> String {
    let info = class.assignment;
    let title = markdown_text(&words.assignment(info));
    let students = words.students(class.students.len());
    let worth = words.assignment_worth(info);
    let note = format!("> **{}**\n\n", words.interrupted());
    let note = if class.interrupted { &note } else { "" };
    let legend = words.legend(class);
    let legend = legend.map_or_else(String::new, |it| format!(" · {}", markdown_text(&it)));
    let class = class
        .class
        .map(|it| format!("<!-- class {} -->\n\n", it.section));
    let class = class.unwrap_or_default();
    format!("## {title}\n\n{class}{students} · {worth}{legend}\n\n{note}")
}

/// The explanations of one student, which contain notes, verdicts in words and reasons.
fn section(student: &StudentView<'_>, class: &ClassView<'_>, lang: Lang) -> String {
    let style = Style {
        lang,
        width: 100,
        ..Style::default()
    };
    let (open, report) = match class.audience {
        Audience::Student => (" open", document::personal(class, &style)),
        Audience::Staff => ("", document::student(student, &style)),
    };
    let ticks = "`".repeat(longest_run(&report).max(2) + 1);
    let (who, report) = (
        markdown_text(&Words::who_on_page(student)),
        report.trim_end(),
    );
    format!(
        "\n<details{open}><summary>{who}</summary>\n\n{ticks}text\n{report}\n{ticks}\n\n</details>\n"
    )
}

/// A text in which nothing is Markdown, HTML, a link or a mention, in a cell and between HTML tags too.
///
/// Everything is a character reference: GitHub does not read Markdown between HTML tags, where a backslash would show.
pub fn markdown_text(text: &str) -> String {
    let mut plain = String::new();
    // Writing to a String cannot fail.
    for c in safe_on_page(text).chars() {
        match c {
            // An empty comment cuts what is looked for after Markdown is read: `@name`, `#12`.
            '@' | '#' => _ = write!(plain, "&#{};<!-- -->", c as u32),
            '-' | '(' | ')' | ',' => plain.push(c),
            c if c.is_ascii_punctuation() => _ = write!(plain, "&#{};", c as u32),
            c => plain.push(c),
        }
    }
    plain
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;

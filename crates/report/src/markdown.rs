//! Results as Markdown: a table of the class and a section for each student.

use std::io::{self, Write};

use grader_model::{Lang, Points, ProblemResult, Results, StudentResult};

use crate::audience::Audience;
use crate::style::{Style, safe};
use crate::terminal;
use crate::text::{Phrase, Words};

/// How Markdown is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// The language.
    pub lang: Lang,
    /// Largest size in bytes; nothing where everything is wanted. What does not fit is left out in whole sections and
    /// rows, and the last line says how many.
    pub most: Option<usize>,
}

/// Writes results as GitHub-flavoured Markdown.
///
/// Staff reads a table of the class and a section for each student; a student reads the own section.
///
/// Names, ids and files of students stand in code spans, and explanations in fences that are longer than any run of
/// backticks in them: there Markdown, HTML, links, `@mentions` and `#1` mean nothing. Titles have all punctuation
/// escaped.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_markdown(
    results: &Results,
    audience: Audience,
    options: &MarkdownOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let results = audience.report(results)?;
    let page = Page {
        results: &results,
        words: Words(options.lang),
        style: Style {
            color: false,
            lang: options.lang,
            width: 100,
            unicode: true,
        },
    };
    let most = options.most.unwrap_or(usize::MAX);
    out.write_all(page.capped(audience, most).as_bytes())
}

struct Page<'a> {
    results: &'a Results,
    words: Words,
    style: Style,
}

/// Room for the line that tells what was left out.
const NOTE: usize = 160;

impl Page<'_> {
    /// The head, and as many rows and sections as there is room for.
    fn capped(&self, audience: Audience, most: usize) -> String {
        let room = most.saturating_sub(NOTE);
        let mut text = self.head();
        let (mut rows, mut sections) = (0, 0);
        if audience == Audience::Staff && !self.results.students.is_empty() {
            text.push_str(&self.table_head());
            for student in &self.results.students {
                let row = self.table_row(student);
                if text.len() + row.len() > room {
                    rows += 1;
                } else {
                    text.push_str(&row);
                }
            }
            text.push('\n');
        }
        for student in &self.results.students {
            let section = self.section(student);
            if text.len() + section.len() > room {
                sections += 1;
            } else {
                text.push_str(&section);
            }
        }
        if rows + sections > 0 {
            text.push_str(&self.left_out(rows, sections, most));
        }
        text
    }

    fn lang<'t>(&self, en: &'t str, zh: &'t str) -> &'t str {
        self.words.0.pick(en, zh)
    }

    /// The title, what was graded, and whether it is all.
    fn head(&self) -> String {
        let info = &self.results.assignment;
        let count = self.results.students.len();
        let mut text = format!(
            "## {} ({})\n\n{} · {}\n\n",
            plain(info.title.get(self.words.0)),
            plain(info.id.as_str()),
            self.words.students(count),
            self.words.assignment_worth(info.points, info.bonus),
        );
        if self.results.interrupted {
            text.push_str("> **");
            text.push_str(self.words.say(Phrase::Interrupted));
            text.push_str("**\n\n");
        }
        text
    }

    fn table_head(&self) -> String {
        let info = &self.results.assignment;
        let mut names = vec![self.words.say(Phrase::Student).to_owned()];
        let mut rule = "| :-- |".to_owned();
        for problem in &info.problems {
            let most = self.words.at_most(problem.points, problem.bonus);
            names.push(format!("{}<br>{most}", code(problem.id.as_str())));
        }
        let total = self.words.at_most(info.points, false);
        names.push(format!("{}<br>{total}", self.words.say(Phrase::Total)));
        if info.bonus > Points::ZERO {
            let most = self.words.at_most(info.bonus, true);
            names.push(format!("{}<br>{most}", self.words.say(Phrase::Bonus)));
        }
        rule.push_str(&" --: |".repeat(names.len() - 1));
        format!("| {} |\n{rule}\n", names.join(" | "))
    }

    fn table_row(&self, student: &StudentResult) -> String {
        let info = &self.results.assignment;
        let mut cells = vec![who(student)];
        for problem in &info.problems {
            let result = student
                .problems
                .iter()
                .find(|result| result.id == problem.id);
            cells.push(result.map_or_else(String::new, |result| {
                format!("{} {}", open(result.points), result.verdict.code())
            }));
        }
        cells.push(open(student.points()));
        if info.bonus > Points::ZERO {
            cells.push(open(student.bonus()));
        }
        format!("| {} |\n", cells.join(" | "))
    }

    /// Everything about one student.
    fn section(&self, student: &StudentResult) -> String {
        let info = &self.results.assignment;
        let totals = self
            .words
            .totals(student.points(), info.points, student.bonus(), info.bonus);
        let mut text = format!("### {}\n\n{totals}\n\n", who(student));
        let notes = || student.notes.iter().chain(&student.remarks);
        for note in notes() {
            text.push_str("- ");
            text.push_str(&plain(note.get(self.words.0)));
            text.push('\n');
        }
        if notes().next().is_some() {
            text.push('\n');
        }
        text.push_str(self.lang(
            "| problem | points | verdict |\n| :-- | --: | :-- |\n",
            "| 题目 | 得分 | 结果 |\n| :-- | --: | :-- |\n",
        ));
        for problem in &student.problems {
            text.push_str(&self.problem(problem));
        }
        let report = terminal::student(student, info, &self.style);
        let summary = self.lang("explanation", "说明");
        let report = fenced(&report);
        text + &format!("\n<details><summary>{summary}</summary>\n\n{report}\n</details>\n\n")
    }

    fn problem(&self, problem: &ProblemResult) -> String {
        let (points, most) = self.words.share(problem.points, problem.max_points);
        format!(
            "| {} | {points} {most} | {} {} |\n",
            code(problem.id.as_str()),
            problem.verdict.code(),
            self.words.verdict(problem.verdict),
        )
    }

    /// What there was no room for.
    fn left_out(&self, rows: usize, sections: usize, most: usize) -> String {
        let rows = match (rows, self.words.0) {
            (0, _) => String::new(),
            (rows, Lang::En) => format!(", and {rows} from the table"),
            (rows, Lang::Zh) => format!("，其中 {rows} 名不在表中"),
        };
        match self.words.0 {
            Lang::En => format!(
                "_{} left out{rows}: the limit is {most} bytes._\n",
                self.words.students(sections)
            ),
            Lang::Zh => format!(
                "_篇幅限 {most} 字节，未写出 {}{rows}。_\n",
                self.words.students(sections)
            ),
        }
    }
}

/// The id of a student, and the name where it is known.
fn who(student: &StudentResult) -> String {
    let id = code(student.id.as_str());
    let name = student
        .person
        .as_ref()
        .and_then(|person| person.name.as_ref());
    match name {
        Some(name) if name != student.id.as_str() => format!("{id} {}", code(name)),
        Some(_) | None => id,
    }
}

/// Points, or a question mark while they are open.
fn open(points: Option<Points>) -> String {
    points.map_or_else(|| "?".to_owned(), |points| points.to_string())
}

/// A text from outside as a code span on one line, in a table too.
fn code(text: &str) -> String {
    // A vertical bar would end the cell even here, and its escape is only known in a table.
    let text = safe(text).replace('|', "\u{ff5c}");
    let text = text.trim();
    if text.is_empty() {
        return "` `".to_owned();
    }
    let ticks = "`".repeat(longest_run(text) + 1);
    // A blank, which is not shown, keeps a backtick of the text from the delimiter.
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A text as prose in which nothing is Markdown, HTML, a link or a mention.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in safe(text).chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            // An empty comment cuts what would be found after Markdown is read: `@name`, `#12`, `http://…`, `www.…`.
            '@' | '#' => {
                plain.push('\\');
                plain.push(c);
                plain.push_str("<!-- -->");
            }
            c if c.is_ascii_punctuation() => {
                plain.push('\\');
                plain.push(c);
            }
            c => plain.push(c),
        }
    }
    plain
}

/// A text of several lines in a fence.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;

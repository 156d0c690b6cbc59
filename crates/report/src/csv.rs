//! A gradebook for spreadsheets: a row for each student.

use std::io::{self, Write};

use grader_model::{Lang, Points, Results, StudentResult};

use crate::audience::Audience;
use crate::style::safe;

/// How a gradebook is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// The language of the notes. Heads and words of programs are English.
    pub lang: Lang,
    /// Whether the file begins with a byte order mark. Without it Excel takes UTF-8 for the encoding of its system and
    /// shows other names than those of the students; programs that are surprised by it can do without.
    pub bom: bool,
}

impl Default for CsvOptions {
    /// English, with a byte order mark.
    fn default() -> Self {
        Self {
            lang: Lang::En,
            bom: true,
        }
    }
}

/// Heads that are the same for every assignment.
const FIXED: [&str; 9] = [
    "id", "name", "email", "points", "bonus", "total", "graded", "flags", "notes",
];

/// Writes the points of a class as CSV (RFC 4180: comma, CRLF, UTF-8).
///
/// | column | content |
/// |---|---|
/// | `id`, `name`, `email` | who it is; empty where it is not known |
/// | one for each problem, named by it | its points; a problem named as another column is `points (problem)` |
/// | `points`, `bonus`, `total` | sums; the total is both |
/// | `graded` | `yes`, or `no` while points are open: these cells are empty then, and never 0 |
/// | `flags` | number of flags; for staff only |
/// | `notes` | what is to be known of what was handed in, `; ` between; for staff with what may name other students |
///
/// Numbers have a decimal point and no signs, whatever the locale. A spreadsheet program would run a cell that begins
/// with `=`, `+`, `-` or `@`, or with their full-width forms: in cells that come from outside an apostrophe stands
/// before such a sign, also where it follows a comma, a semicolon or a quote inside the cell, because a program with
/// another locale may cut the cell there. Tabs, carriage returns and all that is not seen are spelled out (`\t`).
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_csv(
    results: &Results,
    audience: Audience,
    options: &CsvOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let results = audience.report(results)?;
    if options.bom {
        out.write_all("\u{feff}".as_bytes())?;
    }
    let mut writer = ::csv::WriterBuilder::new()
        .terminator(::csv::Terminator::CRLF)
        .from_writer(out);
    let problems = results.assignment.problems.iter();
    let problems: Vec<String> = problems
        .map(|info| match info.id.as_str() {
            id if FIXED.contains(&id) => format!("{id} (problem)"),
            id => guarded(id),
        })
        .collect();
    let shown = |head: &&str| audience == Audience::Staff || *head != "flags";
    let (who, sums) = FIXED.split_at(3);
    let heads = who.iter().map(|head| (*head).to_owned());
    let sums = sums.iter().copied().filter(shown).map(str::to_owned);
    writer.write_record(heads.chain(problems).chain(sums))?;
    for student in &results.students {
        writer.write_record(row(student, &results, audience, options.lang))?;
    }
    writer.flush()
}

fn row(student: &StudentResult, results: &Results, audience: Audience, lang: Lang) -> Vec<String> {
    let plain = |points: Option<Points>| points.map(|points| points.to_string());
    let person = student.person.as_ref();
    let known = |text: Option<&String>| text.map(|text| guarded(text)).unwrap_or_default();
    let mut row = vec![
        guarded(student.id.as_str()),
        known(person.and_then(|person| person.name.as_ref())),
        known(person.and_then(|person| person.email.as_ref())),
    ];
    for info in &results.assignment.problems {
        let problem = student
            .problems
            .iter()
            .find(|problem| problem.id == info.id);
        row.push(plain(problem.and_then(|problem| problem.points)).unwrap_or_default());
    }
    let (points, bonus) = (student.points(), student.bonus());
    let total = points.zip(bonus).map(|(points, bonus)| points + bonus);
    row.extend([points, bonus, total].map(|sum| plain(sum).unwrap_or_default()));
    row.push(if total.is_some() { "yes" } else { "no" }.to_owned());
    if audience == Audience::Staff {
        let flags: usize = student
            .problems
            .iter()
            .map(|problem| problem.flags.len())
            .sum();
        row.push(flags.to_string());
    }
    let notes = student.notes.iter().chain(&student.remarks);
    let notes: Vec<&str> = notes.map(|note| note.get(lang)).collect();
    row.push(guarded(&notes.join("; ")));
    row
}

/// A text from outside as the content of a cell that no spreadsheet program runs: see [`write_csv`].
pub(crate) fn guarded(text: &str) -> String {
    let text = safe(text);
    let mut guarded = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        if begins && matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') {
            guarded.push('\'');
        }
        guarded.push(c);
        begins = matches!(c, ',' | ';' | '"') || (begins && c.is_whitespace());
    }
    guarded
}

#[cfg(test)]
mod tests;

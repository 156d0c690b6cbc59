//! A gradebook for spreadsheets: a row for each student.

use std::io::{self, Write};

use grader_model::{Lang, Person, Standing, StudentId, StudentResult};
use grader_view::{Audience, ClassView, StudentView};

use crate::style::safe_on_page;
use crate::words::Words;

/// Columns that every assignment has, before and after those of the problems.
pub(crate) const PERSON: [&str; 3] = ["id", "name", "email"];
const SUMS: [&str; 6] = ["points", "bonus", "total", "graded", "flags", "notes"];
/// The last column: the class, for which such a file may be replaced.
const CLASS: &str = "class";
/// Signs at which spreadsheet programs begin to run a cell.
const RUN: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Writes the points of a class as CSV (RFC 4180: comma, CRLF, UTF-8), its notes in this language.
///
/// | column | content |
/// |---|---|
/// | `id`, `name`, `email` | the student; empty if not known |
/// | one for each problem, named by it | its points; a problem named like another column is `points (problem)` |
/// | `points`, `bonus`, `total` | sums; the total is both |
/// | `graded` | `yes`, or `no` if some points are not known yet: those cells are empty, never 0. A student who is excused from everything counts as graded, without points |
/// | `flags` | number of flags; for staff only |
/// | `notes` | remarks on the submission, comments, what changed points after judging, and which points by hand are missing, `; ` between |
/// | `class` | the assignment and the class, if that is known |
///
/// Spreadsheet programs run cells that begin with `=`, `+`, `-` or `@`. Cells that come from outside get an apostrophe
/// before such a sign, also after a comma, a semicolon or a quote inside the cell: a program with another locale may cut
/// there.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_csv(class: &ClassView<'_>, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = begun(out)?;
    let problems = class.assignment.problems.iter();
    let problems = problems.map(|info| match info.id.as_str() {
        id if PERSON.contains(&id) || SUMS.contains(&id) || id == CLASS => {
            format!("{id} (problem)")
        }
        id => guarded(id),
    });
    let sums = SUMS.into_iter();
    let sums = sums.filter(|head| class.audience == Audience::Staff || *head != "flags");
    let heads = PERSON.into_iter().map(str::to_owned).chain(problems);
    let last = class.class.map(|_| CLASS.to_owned());
    writer.write_record(heads.chain(sums.map(str::to_owned)).chain(last))?;
    for student in &class.students {
        writer.write_record(row(student, class, lang))?;
    }
    writer.flush()
}

/// Writes the link to each student's page as CSV, for mail merge: `id`, `name`, `email`, `link`. Cells are as in [`write_csv`].
///
/// # Errors
/// If `out` cannot be written.
pub fn write_links(
    students: &[StudentResult],
    link: &dyn Fn(&StudentResult) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = begun(out)?;
    writer.write_record(PERSON.into_iter().chain(["link"]))?;
    for student in students {
        let person = person_cells(&student.id, student.person.as_ref());
        writer.write_record(person.into_iter().chain([link(student)]))?;
    }
    writer.flush()
}

/// Writes any rows as CSV. Cells are as in [`write_csv`].
///
/// # Errors
/// If `out` cannot be written.
pub fn write_rows(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = begun(out)?;
    for row in rows {
        writer.write_record(row.iter().map(|cell| guarded(cell)))?;
    }
    writer.flush()
}

fn begun(out: &mut dyn Write) -> io::Result<::csv::Writer<&mut dyn Write>> {
    // Without a byte order mark Excel takes UTF-8 for the encoding of the system.
    out.write_all("\u{feff}".as_bytes())?;
    let mut writer = ::csv::WriterBuilder::new();
    Ok(writer.terminator(::csv::Terminator::CRLF).from_writer(out))
}

/// The cells of [`PERSON`].
pub(crate) fn person_cells(id: &StudentId, person: Option<&Person>) -> [String; 3] {
    let text = |text: Option<&String>| text.map_or_else(String::new, |text| guarded(text));
    [
        guarded(id.as_str()),
        text(person.and_then(|person| person.name.as_ref())),
        text(person.and_then(|person| person.email.as_ref())),
    ]
}

fn row(student: &StudentView<'_>, class: &ClassView<'_>, lang: Lang) -> Vec<String> {
    let number = |standing: Standing| match standing {
        Standing::Scored(points) => points.to_string(),
        Standing::Open(_) | Standing::Excused => String::new(),
    };
    let mut row = person_cells(student.id, student.person).to_vec();
    for info in &class.assignment.problems {
        let standing = student.problem(&info.id).map(|problem| problem.standing);
        row.push(standing.map_or_else(String::new, number));
    }
    let total = student.standing;
    row.extend([student.points, student.bonus, total].map(number));
    row.push(if total.is_open() { "no" } else { "yes" }.to_owned());
    if class.audience == Audience::Staff {
        let flags = student.problems.iter().map(|problem| problem.flags.len());
        row.push(flags.sum::<usize>().to_string());
    }
    let notes = student.notes.iter().copied().chain(student.comments);
    let mut notes: Vec<String> = notes.map(|note| note.get(lang).to_owned()).collect();
    for problem in &student.problems {
        let adjustments = problem.adjustments.iter().map(|it| it.message.get(lang));
        notes.extend(adjustments.map(|message| format!("{}: {message}", problem.id)));
        let so_far = Words::of(lang).so_far(problem);
        notes.extend(so_far.map(|so_far| format!("{}: {so_far}", problem.id)));
    }
    row.push(guarded(&notes.join("; ")));
    row.extend(class.class.map(|it| guarded(&it.to_string())));
    row
}

/// A text from outside as the content of a cell that no spreadsheet program runs: see [`write_csv`].
pub fn guarded(text: &str) -> String {
    let mut guarded = String::with_capacity(text.len());
    let mut begins = true;
    for c in safe_on_page(text).chars() {
        if begins && RUN.contains(&c) {
            guarded.push('\'');
        }
        guarded.push(c);
        begins = may_begin(c, begins);
    }
    guarded
}

/// The text of a cell that [`guarded`] may have written, without its apostrophes.
pub fn unguarded(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let (mut begins, mut left) = (true, cell.chars().peekable());
    while let Some(c) = left.next() {
        let is_guard = begins && c == '\'' && left.peek().is_some_and(|next| RUN.contains(next));
        if !is_guard {
            text.push(c);
        }
        begins = may_begin(c, begins);
    }
    text
}

/// Whether a cell may begin after this character, in one that `begins` with it or not.
fn may_begin(c: char, begins: bool) -> bool {
    matches!(c, ',' | ';' | '"') || (begins && c.is_whitespace())
}

#[cfg(test)]
mod tests;

//! Moodle's grading worksheet ("Download grading worksheet" of an assignment with offline grading).
//!
//! Its columns depend on the site, its heads on the teacher's language, its dates on the locale, and Moodle refuses a
//! row whose date it does not find as it was. So we never write such a file: we fill the teacher's own, where only the
//! grades and comments of our students change.

mod columns;

use grader_model::{Points, Results, StudentId, StudentResult, System};

use crate::cells::{Edits, Sheet};
use crate::feedback::{merged, moodle_number, preformatted};
use crate::fill::{
    Bonus, FillError, FillRemark, Filled, GradeRule, Key, Table, has_decimal_comma, match_rows,
    number, written,
};
use crate::student_report;
use crate::style::{Style, safe};
use columns::Columns;
pub use columns::MoodleColumn;

/// How a worksheet is filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoodleOptions {
    /// Columns that are named by the teacher, because their heads are in a language that we do not know.
    pub columns: Vec<(MoodleColumn, String)>,
    /// Whether bonus points count. Moodle refuses a grade above the maximum, so the sum is cut to it, and the answer
    /// says for whom.
    pub bonus: Bonus,
    /// Whether points are scaled where the maximum grade is not the assignment's points.
    pub scale: bool,
    /// Largest size of a comment of ours, in bytes of HTML; nothing where no comments are wanted.
    pub feedback: Option<usize>,
    /// How the comments are written.
    pub style: Style,
}

impl MoodleOptions {
    /// Largest size of a comment where nothing else is said. A spreadsheet program cuts a cell after 32 767
    /// characters, and so would lose the end of the comment when the teacher saves the file with it.
    pub const FEEDBACK: usize = 30_000;
}

impl Default for MoodleOptions {
    /// Bonus points count, nothing is scaled, comments in English.
    fn default() -> Self {
        Self {
            columns: Vec::new(),
            bonus: Bonus::Count,
            scale: false,
            feedback: Some(Self::FEEDBACK),
            style: Style::default(),
        }
    }
}

/// Fills the grades, and the comments where wanted, of our students into a teacher's grading worksheet.
///
/// Every other byte stays. A row is a student's by the number in its identifier (`Participant 12345`), which is
/// [`System::Moodle`]; for students without such a number by electronic mail, ID number, user name or full name, if
/// it is exactly the same and of nobody else. A row whose number fits and whose name is another one is not filled: the
/// number may be that of a team. A comment is the student's own report; it takes the place of an older
/// one of ours, and what a teacher wrote stays before it.
///
/// A row that is locked ("Grade can be changed": no), of a student whose points are open, or of no student of ours
/// is left as it is, and told in [`Filled::remarks`].
///
/// # Errors
/// When the file cannot be read as a worksheet, or its maximum grade is not what the assignment is worth.
pub fn fill_moodle_worksheet(
    worksheet: &[u8],
    results: &Results,
    options: &MoodleOptions,
) -> Result<Filled, FillError> {
    let sheet = Sheet::read(worksheet, |head| {
        columns::is_known(head) || options.columns.iter().any(|(_, named)| named == head)
    })?;
    let columns = Columns::find(&sheet, &options.columns)?;
    let rows: Vec<usize> = (1..sheet.len()).collect();
    let rule = GradeRule {
        bonus: options.bonus,
        scale: options.scale,
        cap: true,
    };
    let mut filling = Filling {
        comma: decimal_comma(&sheet, &columns, &rows),
        sheet,
        columns,
        results,
        options,
        rule,
        edits: Edits::new(),
        written: 0,
        remarks: Vec::new(),
    };
    if options.feedback.is_some() && filling.columns.feedback.is_none() {
        filling.remarks.push(FillRemark::NoFeedbackColumn);
    }
    if filling.columns.maximum.is_none() {
        filling.remarks.push(FillRemark::NoMaximumColumn);
    }
    filling.check_maximum(&rows)?;
    let mut unmatched = Vec::new();
    let keys = keys(&filling.columns)?;
    let table = Table {
        sheet: &filling.sheet,
        rows: &rows,
        name: filling.columns.name.into_iter().collect(),
    };
    let matched = match_rows(
        &table,
        &keys,
        &results.students,
        |row| filling.who(row),
        &mut unmatched,
    );
    for (student, row) in results.students.iter().zip(matched) {
        if let Some(row) = row {
            filling.row(student, row)?;
        }
    }
    filling.remarks.extend(unmatched);
    Ok(Filled {
        bytes: filling.sheet.edited(&filling.edits),
        written: filling.written,
        remarks: filling.remarks,
    })
}

/// A worksheet that is being filled.
struct Filling<'a> {
    sheet: Sheet<'a>,
    columns: Columns,
    comma: bool,
    results: &'a Results,
    options: &'a MoodleOptions,
    rule: GradeRule,
    edits: Edits,
    written: usize,
    remarks: Vec<FillRemark>,
}

impl Filling<'_> {
    /// Fills the row of a student.
    fn row(&mut self, student: &StudentResult, row: usize) -> Result<(), FillError> {
        let id = || student.id.clone();
        let line = self.sheet.line(row);
        if self.sheet.cell(row, self.columns.grade).is_none() {
            self.remarks.push(FillRemark::ShortRow {
                student: id(),
                line,
            });
            return Ok(());
        }
        if let Some(column) = self.columns.changeable
            && columns::is_no(&self.sheet.trimmed(row, column))
        {
            self.remarks.push(FillRemark::Locked {
                student: id(),
                line,
            });
            return Ok(());
        }
        let assignment = &self.results.assignment;
        let maximum = self.maximum(row)?;
        let Some(grade) = self.rule.grade(student, assignment, maximum) else {
            self.remarks.push(FillRemark::Open { student: id() });
            return Ok(());
        };
        if let Some(earned) = grade.capped {
            self.remarks.push(FillRemark::Capped {
                student: id(),
                earned,
                maximum: grade.value,
            });
        }
        let cell = (row, self.columns.grade);
        let old = number(&self.sheet.trimmed(cell.0, cell.1));
        if let Some(old) = old.filter(|old| *old != grade.value) {
            self.remarks.push(FillRemark::Replaced {
                student: id(),
                old,
                new: grade.value,
            });
        }
        // A grade that is there already stays as it is written.
        if old != Some(grade.value) {
            self.edits.insert(cell, written(grade.value, self.comma));
        }
        self.written += 1;
        self.feedback(student, row, id());
        Ok(())
    }

    /// Whether the worksheet counts as the assignment does, whoever is in it: so that it is known before a class is
    /// graded.
    fn check_maximum(&self, rows: &[usize]) -> Result<(), FillError> {
        let Some(column) = self.columns.maximum else {
            return Ok(());
        };
        let is_number = |row: &&usize| number(&self.sheet.trimmed(**row, column)).is_some();
        // Where there is no number at all the first row says what is there instead.
        let counting: Vec<usize> = rows.iter().filter(is_number).copied().collect();
        let checked = if counting.is_empty() {
            rows.first().copied().into_iter().collect()
        } else {
            counting
        };
        checked
            .into_iter()
            .try_for_each(|row| self.maximum(row).map(drop))
    }

    /// The maximum grade of a row; the points of the assignment where the worksheet does not tell.
    fn maximum(&self, row: usize) -> Result<Points, FillError> {
        let assignment = &self.results.assignment;
        let Some(column) = self.columns.maximum else {
            return Ok(assignment.points);
        };
        let line = self.sheet.line(row);
        let found = self.sheet.trimmed(row, column);
        let maximum = number(&found).ok_or(FillError::NoNumber { found, line })?;
        if self.rule.serves(assignment, maximum) {
            return Ok(maximum);
        }
        Err(FillError::Maximum {
            table: maximum,
            line,
            points: assignment.points,
            bonus: assignment.bonus,
        })
    }

    /// Fills the comment of a student.
    fn feedback(&mut self, student: &StudentResult, row: usize, id: StudentId) {
        let (Some(most), Some(column)) = (self.options.feedback, self.columns.feedback) else {
            return;
        };
        let Some(comment) = self.sheet.cell(row, column) else {
            return;
        };
        let report = student_report(self.results, student, &self.options.style);
        let (ours, cut) = preformatted(&report, most, &self.options.style);
        if cut {
            self.remarks.push(FillRemark::FeedbackCut { student: id });
        }
        self.edits.insert((row, column), merged(&comment, &ours));
    }

    /// Whose row it is, in the words of the file.
    fn who(&self, row: usize) -> String {
        let columns = [
            self.columns.identifier,
            self.columns.name,
            self.columns.email,
        ];
        let known = columns.into_iter().flatten();
        let cells: Vec<String> = known
            .map(|column| safe(&self.sheet.trimmed(row, column)))
            .filter(|cell| !cell.is_empty())
            .collect();
        cells.join(", ")
    }
}

/// Whether the worksheet writes `12,5`: by its maximum grades, then by its grades.
fn decimal_comma(sheet: &Sheet<'_>, columns: &Columns, rows: &[usize]) -> bool {
    let columns = columns.maximum.into_iter().chain([columns.grade]);
    let cells: Vec<String> = columns
        .flat_map(|column| rows.iter().map(move |row| sheet.trimmed(*row, column)))
        .collect();
    has_decimal_comma(cells.iter().map(String::as_str))
}

/// By what a row is told to be a student's, the surest first.
fn keys(columns: &Columns) -> Result<Vec<Key>, FillError> {
    type Names = fn(&StudentResult) -> Vec<String>;
    let same = |column: Option<usize>, is_number: bool, of_student: Names| {
        column.map(|column| Key {
            columns: vec![column],
            strict: false,
            of_cell: |cell| vec![cell.to_owned()],
            of_student,
            is_number,
        })
    };
    let identifier = columns.identifier.map(|column| Key {
        columns: vec![column],
        strict: true,
        of_cell: |cell| only_number(cell).into_iter().collect(),
        of_student: |student| {
            moodle_number(student)
                .and_then(only_number)
                .into_iter()
                .collect()
        },
        is_number: true,
    });
    let email = columns.email.map(|column| Key {
        columns: vec![column],
        strict: false,
        of_cell: |cell| vec![cell.to_ascii_lowercase()],
        of_student: |student| {
            let email = student
                .person
                .as_ref()
                .and_then(|person| person.email.as_ref());
            email
                .map(|email| email.trim().to_ascii_lowercase())
                .into_iter()
                .collect()
        },
        is_number: false,
    });
    let keys: Vec<Key> = [
        identifier,
        email,
        same(columns.id_number, true, |student| {
            named(student, System::Sis)
        }),
        same(columns.username, true, |student| {
            named(student, System::Login)
        }),
        same(columns.name, false, |student| vec![full_name(student)]),
    ]
    .into_iter()
    .flatten()
    .collect();
    if keys.is_empty() {
        return Err(FillError::NoIdentity {
            heads: columns.heads.clone(),
        });
    }
    Ok(keys)
}

/// What a system calls a student, or else what the class does.
pub(crate) fn named(student: &StudentResult, system: System) -> Vec<String> {
    let ids = student.person.as_ref().map(|person| &person.ids);
    let known = ids.and_then(|ids| ids.get(&system)).cloned();
    vec![known.unwrap_or_else(|| student.id.to_string())]
}

/// The full name of a student; what the class calls them where nobody tells it.
pub(crate) fn full_name(student: &StudentResult) -> String {
    let person = student.person.as_ref();
    let name = person.and_then(|person| person.name.clone());
    name.unwrap_or_else(|| student.id.to_string())
}

/// The number in a cell such as `Participant 12345`, without zeros before it, if there is one and no other.
fn only_number(cell: &str) -> Option<String> {
    let mut numbers = cell
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    let number = numbers.next()?;
    if numbers.next().is_some() {
        return None;
    }
    let bare = number.trim_start_matches('0');
    Some(if bare.is_empty() { "0" } else { bare }.to_owned())
}

#[cfg(test)]
mod tests;

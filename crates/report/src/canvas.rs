//! Canvas' gradebook as CSV: a teacher's export with the grades of one assignment in it.
//!
//! Canvas finds an assignment by the number in brackets at the end of a column's head, else by the exact title, and
//! makes a new assignment of any other head: so we never write a head of our own.

use grader_model::{Points, Results, StudentId, StudentResult, System};

use crate::cells::{Edits, Sheet};
use crate::fill::{
    Bonus, FillError, FillRemark, Filled, GradeRule, Key, Table, has_decimal_comma, match_rows,
    number, written,
};
use crate::moodle::{full_name, named};
use crate::style::safe;

/// How a gradebook is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanvasOptions {
    /// Whether bonus points count. Canvas takes more points than are possible.
    pub bonus: Bonus,
    /// Whether points are scaled where the points possible are not the assignment's.
    pub scale: bool,
}

/// The row above the students says in its first cell.
const POINTS_POSSIBLE: &str = "Points Possible";

/// Fills the grades of our students into one column of a teacher's exported gradebook.
///
/// `column` is the number of the assignment (`1234`), the whole head (`Queens (1234)`), or its title alone if only
/// one column has it. Every other byte of the file stays. A row is a student's by `ID`, which is [`System::Canvas`];
/// for students without such a number by `SIS User ID`, `SIS Login ID` or the name, if it is exactly the same and of
/// nobody else. Where the row has another name than the student, it is not filled. A cell that says `EX` is left alone, and so are students whose points are open.
///
/// # Errors
/// When the file cannot be read as a gradebook, has no such column or several, the column is read-only, or its
/// points possible are not what the assignment is worth.
pub fn fill_canvas_gradebook(
    gradebook: &[u8],
    column: &str,
    results: &Results,
    options: CanvasOptions,
) -> Result<Filled, FillError> {
    let sheet = Sheet::read(gradebook, |head| STUDENT_COLUMNS.contains(&head))?;
    let heads = sheet.heads();
    let column = assignment_column(&heads, column)?;
    let possible = (1..sheet.len())
        .find(|row| sheet.trimmed(*row, 0).contains(POINTS_POSSIBLE))
        .ok_or(FillError::NoPointsPossible)?;
    let maximum = maximum(&sheet, possible, column, &heads)?;
    let rule = GradeRule {
        bonus: options.bonus,
        scale: options.scale,
        cap: false,
    };
    let assignment = &results.assignment;
    if !rule.serves(assignment, maximum) {
        return Err(FillError::Maximum {
            table: maximum,
            line: sheet.line(possible),
            points: assignment.points,
            bonus: assignment.bonus,
        });
    }
    let rows: Vec<usize> = (possible + 1..sheet.len()).collect();
    let mut unmatched = Vec::new();
    let who = |row| {
        let cells = [0, 1].map(|column| safe(&sheet.trimmed(row, column)));
        cells.join(", ")
    };
    let keys = keys(&heads)?;
    let students = &results.students;
    let table = Table {
        sheet: &sheet,
        rows: &rows,
        name: name_columns(&heads),
    };
    let matched = match_rows(&table, &keys, students, who, &mut unmatched);
    let comma = comma(&sheet, possible, column);
    let mut edits = Edits::new();
    let mut remarks = Vec::new();
    let mut count = 0;
    for (student, row) in students.iter().zip(matched) {
        let Some(row) = row else { continue };
        let id = student.id.clone();
        match grade(&sheet, (row, column), student, results, rule, maximum, id) {
            Ok(new) => {
                count += 1;
                let old = number(&sheet.trimmed(row, column));
                if let Some(old) = old.filter(|old| *old != new) {
                    remarks.push(FillRemark::Replaced {
                        student: student.id.clone(),
                        old,
                        new,
                    });
                }
                // A grade that is there already stays as it is written.
                if old != Some(new) {
                    edits.insert((row, column), written(new, comma));
                }
            }
            Err(remark) => remarks.push(remark),
        }
    }
    remarks.extend(unmatched);
    Ok(Filled {
        bytes: sheet.edited(&edits),
        written: count,
        remarks,
    })
}

/// The grade for a cell, or why there is none.
fn grade(
    sheet: &Sheet<'_>,
    (row, column): (usize, usize),
    of: &StudentResult,
    results: &Results,
    rule: GradeRule,
    maximum: Points,
    student: StudentId,
) -> Result<Points, FillRemark> {
    let line = sheet.line(row);
    let Some(cell) = sheet.cell(row, column) else {
        return Err(FillRemark::ShortRow { student, line });
    };
    if cell.trim().eq_ignore_ascii_case("EX") {
        return Err(FillRemark::Excused { student, line });
    }
    let grade = rule.grade(of, &results.assignment, maximum);
    grade
        .map(|grade| grade.value)
        .ok_or(FillRemark::Open { student })
}

/// What stands in a gradebook besides assignments, in the order of Canvas.
const STUDENT_COLUMNS: [&str; 9] = [
    "Student",
    "LastName",
    "FirstName",
    "ID",
    "SIS User ID",
    "SIS Login ID",
    "Integration ID",
    "Root Account",
    "Section",
];

/// The column of an assignment.
fn assignment_column(heads: &[String], asked: &str) -> Result<usize, FillError> {
    let asked = asked.trim();
    // Assignments stand behind what is known of the students.
    let first = heads
        .iter()
        .rposition(|head| STUDENT_COLUMNS.contains(&head.as_str()))
        .map_or(0, |last| last + 1);
    let all = || first..heads.len();
    let found: Vec<usize> = if is_number(asked) {
        all()
            .filter(|at| split(&heads[*at]).is_some_and(|(_, id)| id == asked))
            .collect()
    } else {
        let whole: Vec<usize> = all().filter(|at| heads[*at] == asked).collect();
        if whole.is_empty() {
            all()
                .filter(|at| split(&heads[*at]).is_some_and(|(title, _)| title == asked))
                .collect()
        } else {
            whole
        }
    };
    match found.as_slice() {
        [at] => Ok(*at),
        [] => Err(FillError::NoSuchColumn {
            asked: asked.to_owned(),
            heads: heads[first..].to_vec(),
        }),
        several => Err(FillError::SeveralColumns {
            column: asked.to_owned(),
            heads: several.iter().map(|at| heads[*at].clone()).collect(),
        }),
    }
}

/// The title and the number of a head such as `Queens (1234)`.
fn split(head: &str) -> Option<(&str, &str)> {
    let (title, id) = head.trim().strip_suffix(')')?.rsplit_once('(')?;
    is_number(id).then(|| (title.trim(), id))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The points possible of a column.
fn maximum(
    sheet: &Sheet<'_>,
    row: usize,
    column: usize,
    heads: &[String],
) -> Result<Points, FillError> {
    let found = sheet.trimmed(row, column);
    if found.to_ascii_lowercase().contains("read only") {
        return Err(FillError::ReadOnly {
            column: heads[column].clone(),
        });
    }
    let line = sheet.line(row);
    number(&found).ok_or(FillError::NoNumber { found, line })
}

/// Whether the gradebook writes `12,5`: by the column, then by everything from the points possible on.
fn comma(sheet: &Sheet<'_>, possible: usize, column: usize) -> bool {
    let rows = || possible..sheet.len();
    let width = sheet.heads().len();
    let own = rows().map(|row| sheet.trimmed(row, column));
    let others = rows().flat_map(|row| (0..width).map(move |column| (row, column)));
    let cells: Vec<String> = own
        .chain(others.map(|(row, column)| sheet.trimmed(row, column)))
        .collect();
    has_decimal_comma(cells.iter().map(String::as_str))
}

/// The columns of the full name, as Canvas writes it.
const NAMES: [&[&str]; 2] = [&["Student"], &["LastName", "FirstName"]];

/// The columns of these heads, if all are there.
fn columns_of(heads: &[String], wanted: &[&str]) -> Option<Vec<usize>> {
    let find = |head: &&str| heads.iter().position(|found| found == head);
    wanted.iter().map(find).collect()
}

fn name_columns(heads: &[String]) -> Vec<usize> {
    let mut found = NAMES.iter().filter_map(|names| columns_of(heads, names));
    found.next().unwrap_or_default()
}

/// By what a row is told to be a student's, as Canvas does: the surest first.
fn keys(heads: &[String]) -> Result<Vec<Key>, FillError> {
    type Names = fn(&StudentResult) -> Vec<String>;
    type Cells = fn(&str) -> Vec<String>;
    let names = |student: &StudentResult| vec![full_name(student)];
    let columns: [(&[&str], bool, Cells, Names); 5] = [
        (
            &["ID"],
            true,
            |cell| vec![cell.to_owned()],
            |student| canvas_id(student).map(str::to_owned).into_iter().collect(),
        ),
        (
            &["SIS User ID"],
            false,
            |cell| vec![cell.to_owned()],
            |student| named(student, System::Sis),
        ),
        (
            &["SIS Login ID"],
            false,
            |cell| vec![cell.to_lowercase()],
            logins,
        ),
        (NAMES[0], false, names_of_cell, names),
        (NAMES[1], false, names_of_cell, names),
    ];
    let mut keys = Vec::new();
    for (key, strict, of_cell, of_student) in columns {
        if let Some(columns) = columns_of(heads, key) {
            keys.push(Key {
                columns,
                strict,
                of_cell,
                of_student,
                is_number: !NAMES.contains(&key),
            });
        }
    }
    if keys.is_empty() {
        return Err(FillError::NoIdentity {
            heads: heads.to_vec(),
        });
    }
    Ok(keys)
}

/// The names with which a student may log in, in lower case: very often the address of electronic mail.
fn logins(student: &StudentResult) -> Vec<String> {
    let mut logins = named(student, System::Login);
    let person = student.person.as_ref();
    logins.extend(person.and_then(|person| person.email.clone()));
    logins.iter().map(|login| login.to_lowercase()).collect()
}

/// A name as it stands, and `Ann Lee` where that is `Lee, Ann`.
fn names_of_cell(cell: &str) -> Vec<String> {
    let mut names = vec![cell.to_owned()];
    if let Some((last, first)) = cell.split_once(", ")
        && !first.contains(',')
    {
        names.push(format!("{} {}", first.trim(), last.trim()));
    }
    names
}

/// Canvas' number of a student, where there is one and it is a number.
fn canvas_id(student: &StudentResult) -> Option<&str> {
    let id = student.person.as_ref()?.ids.get(&System::Canvas)?.trim();
    is_number(id).then_some(id)
}

#[cfg(test)]
mod tests;

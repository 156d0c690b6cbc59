//! Grades into an instructor's own gradebook, whichever system it is from.
//!
//! We never make such a file: its columns depend on the site, its headings on the teacher's language, and Canvas makes a new
//! assignment of a heading that it does not know. A grade that is there already and is not ours stays unless the caller asks
//! for more: a person may have entered it.

use grader_model::{AssignmentInfo, Lang, Points, StudentResult, Text, escaped};

use crate::feedback::{merged, preformatted};
use crate::identity::{Match, Matcher, Query};
use crate::people::Record;
use crate::plan::{FillError, Maximum, Plan, number};
use crate::reason::about;
use crate::table::Table;
use crate::{blackboard, brightspace, canvas, headings, moodle};

/// A system whose gradebook can be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gradebook {
    /// Moodle's grading worksheet.
    Moodle,
    /// Canvas' gradebook.
    Canvas,
    /// Blackboard's grade centre.
    Blackboard,
    /// Brightspace's grades.
    Brightspace,
}

/// How a gradebook is filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct FillOptions<'a> {
    /// The assignment's column, by its heading, its title or its number; for Moodle any columns as `grade=Mark`. If there is
    /// none, the column of the assignment's title.
    pub columns: &'a [String],
    /// Whether bonus points are left out.
    pub leave_bonus: bool,
    /// Whether points are scaled if the gradebook counts up to another number.
    pub scale: bool,
    /// Whether grades that are there already are replaced.
    pub overwrite: bool,
    /// The language of what is added to comments.
    pub lang: Lang,
}

/// A gradebook with our grades in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The file.
    pub bytes: Vec<u8>,
    /// Number of rows that have our grade now.
    pub written: usize,
    /// What an instructor must know before uploading it: of the whole file, of our students, of rows without a student.
    pub remarks: Vec<Text>,
}

impl Plan {
    /// The maximum of a row; `None` if what stands there is no number.
    fn maximum(&self, row: usize, assignment: &AssignmentInfo) -> Option<Points> {
        match self.maximum {
            Maximum::Unknown => Some(assignment.points),
            Maximum::Fixed(points) => Some(points),
            Maximum::Column(column) => number(self.table.trimmed(row, column)),
        }
    }

    /// Refuses a gradebook that counts otherwise than the assignment, whoever is in it: before a class is graded.
    fn check(&self, rule: Rule<'_>) -> Result<(), FillError> {
        let rows = self.first..self.table.rows().len();
        let maxima: Vec<Points> = match self.maximum {
            Maximum::Unknown => Vec::new(),
            Maximum::Fixed(points) => vec![points],
            Maximum::Column(column) => {
                let found: Vec<Points> = rows
                    .clone()
                    .filter_map(|row| self.maximum(row, rule.assignment))
                    .collect();
                if found.is_empty() && !rows.is_empty() {
                    return Err(FillError::NotPoints {
                        column: self.table.heads()[column].clone(),
                        found: self.table.trimmed(rows.start, column).to_owned(),
                    });
                }
                found
            }
        };
        match maxima.into_iter().find(|maximum| !rule.serves(*maximum)) {
            None => Ok(()),
            Some(gradebook) => Err(FillError::Maximum {
                gradebook,
                points: rule.assignment.points,
                bonus: rule.assignment.bonus,
            }),
        }
    }

    /// Whether the gradebook writes `12,5`: by the first number with decimals, else by its delimiter.
    fn has_decimal_comma(&self) -> bool {
        let maximum = match self.maximum {
            Maximum::Column(column) => Some(column),
            Maximum::Unknown | Maximum::Fixed(_) => None,
        };
        let columns = maximum.into_iter().chain([self.grade]);
        let rows = 1..self.table.rows().len();
        let mut cells = columns.flat_map(|column| rows.clone().map(move |row| (row, column)));
        let sign = cells.find_map(|(row, column)| {
            let cell = self.table.trimmed(row, column);
            number(cell)?;
            cell.chars().find(|c| matches!(c, ',' | '.'))
        });
        sign.map_or(self.table.delimiter() == b';', |sign| sign == ',')
    }

    /// Who is on a row, in the words of the file.
    fn shown(record: &Record) -> String {
        let Record { id, person } = record;
        let known = person.name.iter().chain(id).chain(&person.email);
        let known: Vec<String> = known
            .chain(person.ids.values())
            .map(|text| escaped(text.as_bytes()))
            .collect();
        known.join(", ")
    }
}

/// Writes the points of students into a gradebook.
///
/// `report` is a student's own report, for systems that take comments.
///
/// # Errors
/// If the file cannot be read as a gradebook of this system, or counts up to another number than the assignment. Without
/// students this is a check of the file.
pub fn fill(
    gradebook: Gradebook,
    bytes: &[u8],
    assignment: &AssignmentInfo,
    students: &[StudentResult],
    options: FillOptions<'_>,
    report: &mut dyn FnMut(&StudentResult) -> String,
) -> Result<Filled, FillError> {
    let mut remarks = Vec::new();
    let mut plan = plan(gradebook, bytes, assignment, options)?;
    if gradebook == Gradebook::Moodle && plan.feedback.is_none() {
        remarks.push(Text::new(
            "the worksheet has no column for comments: switch on feedback comments in Moodle, or name the column with \
             `--column feedback=HEADING`",
            "工作表没有评语列：请在 Moodle 开启评语反馈，或用 `--column feedback=表头` 指定",
        ));
    }
    if matches!(plan.maximum, Maximum::Unknown) {
        remarks.push(Text::new(
            "the gradebook does not say the maximum grade: make sure that it is the assignment's points",
            "成绩册没有写明满分：请核对满分与作业总分一致",
        ));
    }
    let rule = Rule {
        assignment,
        options,
        is_capped: plan.is_capped,
    };
    plan.check(rule)?;
    let (rows, unmatched) = match_rows(&plan, students);
    let mut written = 0;
    let comma = plan.has_decimal_comma();
    for (student, row) in students.iter().zip(rows) {
        let Some(row) = row else { continue };
        match fill_row(&mut plan, row, student, rule, comma) {
            Err(remark) => remarks.push(remark),
            Ok(notes) => {
                written += 1;
                remarks.extend(notes);
                let comment = plan
                    .feedback
                    .filter(|column| plan.table.cell(row, *column).is_some());
                if let Some(column) = comment {
                    let (ours, is_cut) = preformatted(&report(student), options.lang);
                    if is_cut {
                        let (en, zh) = (
                            "the comment is cut: it is longer than a cell may be",
                            "评语超过单元格的长度，已截断",
                        );
                        remarks.push(about(&student.id, en, zh));
                    }
                    let comment = merged(plan.table.cell(row, column).unwrap_or_default(), &ours);
                    plan.table.set(row, column, comment);
                }
            }
        }
    }
    remarks.extend(unmatched);
    Ok(Filled {
        bytes: plan.table.to_bytes(),
        written,
        remarks,
    })
}

fn plan(
    gradebook: Gradebook,
    bytes: &[u8],
    assignment: &AssignmentInfo,
    options: FillOptions<'_>,
) -> Result<Plan, FillError> {
    if gradebook == Gradebook::Moodle {
        return moodle::plan(bytes, options.columns);
    }
    let asked = match options.columns {
        [] => &assignment.title.en,
        [column] => column,
        [_, second, ..] => {
            return Err(FillError::NoSuchColumn {
                asked: second.clone(),
                heads: Vec::new(),
            });
        }
    };
    let table = Table::read(bytes, &[asked])?;
    match gradebook {
        Gradebook::Blackboard => blackboard::plan(table, asked),
        Gradebook::Brightspace => brightspace::plan(table, asked),
        Gradebook::Canvas | Gradebook::Moodle => canvas::plan(table, asked),
    }
}

/// The row of each student who has one, and what is to be known of the others and of the rows.
fn match_rows(plan: &Plan, students: &[StudentResult]) -> (Vec<Option<usize>>, Vec<Text>) {
    let rows = &plan.table.rows()[plan.first..];
    let line = |place: usize| rows[place].line;
    let records: Vec<Record> = rows
        .iter()
        .map(|row| plan.identity.record(&row.cells))
        .collect();
    let matcher = Matcher::new(&records);
    let found: Vec<Vec<usize>> = students
        .iter()
        .map(|student| {
            let query = Query {
                person: student.person.as_ref(),
                called: student.id.as_str(),
                whole: None,
            };
            match matcher.find_in_gradebook(query, plan.own) {
                Match::One { place, .. } => vec![place],
                Match::Several(places) => places,
                Match::None => Vec::new(),
            }
        })
        .collect();
    let claims = |place: usize| {
        found
            .iter()
            .filter(|places| places.contains(&place))
            .count()
    };
    let mut remarks = Vec::new();
    let found_rows = students
        .iter()
        .zip(&found)
        .map(|(student, places)| match places.as_slice() {
            [] => {
                remarks.push(about(&student.id, "has no row", "没有对应的行"));
                None
            }
            [place] if claims(*place) == 1 => Some(plan.first + place),
            places => {
                let lines: Vec<String> = places
                    .iter()
                    .map(|place| line(*place).to_string())
                    .collect();
                let (en, zh) = if let [line] = lines.as_slice() {
                    (
                        format!("line {line} may be another student's too"),
                        format!("第 {line} 行也可能属于其他学生"),
                    )
                } else {
                    (
                        format!("may be on any of the lines {}", lines.join(", ")),
                        format!("可能是第 {} 行中的任何一行", lines.join("、")),
                    )
                };
                remarks.push(about(&student.id, &en, &zh));
                None
            }
        });
    let found_rows = found_rows.collect();
    for (place, record) in records
        .iter()
        .enumerate()
        .filter(|(place, _)| claims(*place) == 0)
    {
        let (line, who) = (line(place), Plan::shown(record));
        remarks.push(Text::new(
            format!("line {line} ({who}): not in this class"),
            format!("第 {line} 行（{who}）：不在本班"),
        ));
    }
    (found_rows, remarks)
}

/// Writes a grade; what is to be known of it, or why it was not written.
fn fill_row(
    plan: &mut Plan,
    row: usize,
    student: &StudentResult,
    rule: Rule<'_>,
    comma: bool,
) -> Result<Vec<Text>, Text> {
    let line = plan.table.rows()[row].line;
    let refuse = |en: &str, zh: &str| Err(about(&student.id, en, zh));
    let not_filled = |en: &str, zh: &str| {
        let (en, zh) = (format!("{en} on line {line}"), format!("第 {line} 行{zh}"));
        refuse(&en, &zh)
    };
    let Some(cell) = plan.table.cell(row, plan.grade) else {
        return not_filled("no cell for the grade", "没有成绩单元格");
    };
    let cell = cell.trim();
    if cell.eq_ignore_ascii_case("EX") {
        return not_filled("excused", "为免交");
    }
    let changeable = plan
        .changeable
        .map(|column| plan.table.trimmed(row, column));
    if changeable.is_some_and(headings::is_no) {
        return not_filled("the grade is locked", "的成绩已锁定");
    }
    let Some(maximum) = plan.maximum(row, rule.assignment) else {
        return not_filled("no maximum grade", "没有满分");
    };
    let Some((earned, grade)) = rule.grade(student, maximum) else {
        return refuse("not scored yet", "尚未评分");
    };
    let mut notes = Vec::new();
    let mut note = |en: &str, zh: &str| {
        notes.push(about(&student.id, en, zh));
    };
    let is_empty = matches!(cell, "" | "-") || is_ungraded(cell);
    if !is_empty && number(cell) != Some(grade) {
        let old = escaped(cell.as_bytes());
        if !rule.options.overwrite {
            return refuse(
                &format!(
                    "line {line} has {old}, which stays; ours is {grade} (`--overwrite` replaces it)"
                ),
                &format!(
                    "第 {line} 行已有 {old}，予以保留；我们的是 {grade}（`--overwrite` 可覆盖）"
                ),
            );
        }
        note(
            &format!("was {old}, is {grade} now"),
            &format!("原为 {old}，现为 {grade}"),
        );
    }
    if earned != grade {
        note(
            &format!("earned {earned}, entered as {grade}, the maximum"),
            &format!("得 {earned} 分，按满分 {grade} 登记"),
        );
    }
    // A grade that is there already stays as it is written.
    if is_empty || number(cell) != Some(grade) {
        let text = grade.to_string();
        let text = if comma { text.replace('.', ",") } else { text };
        plan.table.set(row, plan.grade, text);
    }
    Ok(notes)
}

/// Blackboard's words for an attempt without a grade.
fn is_ungraded(cell: &str) -> bool {
    cell.starts_with("Needs Grading") || cell.starts_with("In Progress")
}

/// How points become a grade.
#[derive(Clone, Copy)]
struct Rule<'a> {
    assignment: &'a AssignmentInfo,
    options: FillOptions<'a>,
    is_capped: bool,
}

impl Rule<'_> {
    /// Whether a maximum is the points of the assignment, these with the bonus, or one to which points may be scaled.
    fn serves(self, maximum: Points) -> bool {
        self.is_whole(maximum) || (self.options.scale && self.assignment.points > Points::ZERO)
    }

    fn is_whole(self, maximum: Points) -> bool {
        let Self {
            assignment,
            options,
            ..
        } = self;
        let with_bonus = assignment.points + assignment.bonus;
        maximum == assignment.points || (!options.leave_bonus && maximum == with_bonus)
    }

    /// What a student earned in the gradebook's points, and the grade, which is not above the maximum where the system refuses
    /// that; `None` while points are open.
    fn grade(self, student: &StudentResult, maximum: Points) -> Option<(Points, Points)> {
        let points = student.points()?;
        let earned = if self.options.leave_bonus {
            points
        } else {
            points + student.bonus()?
        };
        let earned = if self.is_whole(maximum) {
            earned
        } else {
            scaled(earned, maximum, self.assignment.points)
        };
        let grade = if self.is_capped {
            earned.min(maximum)
        } else {
            earned
        };
        Some((earned, grade))
    }
}

/// `earned` of `all`, in a table that counts up to `maximum`, rounded half up to a hundredth.
fn scaled(earned: Points, maximum: Points, all: Points) -> Points {
    let all = u128::from(all.thousandths()).max(1);
    let exact = u128::from(earned.thousandths()) * u128::from(maximum.thousandths());
    let hundredths = (exact + 5 * all) / (10 * all);
    Points::from_thousandths(u64::try_from(hundredths * 10).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_grade_is_rounded_half_up_to_a_hundredth() {
        let points = Points::whole;
        for (earned, maximum, all, expected) in [(1, 10, 3, "3.33"), (1, 1, 8, "0.13")] {
            let scaled = scaled(points(earned), points(maximum), points(all));
            assert_eq!(scaled.to_string(), expected);
        }
    }
}

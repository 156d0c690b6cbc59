//! Grades into an instructor's own gradebook, whichever system it is from.
//!
//! We never make such a file: its columns depend on the site, its headings on the teacher's language, and Canvas makes a new
//! assignment of a heading that it does not know. A grade that is there already and is not ours, now or from an earlier run,
//! stays unless the caller asks for more: a person may have entered it.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{
    AssignmentInfo, Lang, Person, Points, Standing, StudentId, StudentResult, System, Text, escaped,
};

use crate::feedback::{merged, preformatted};
use crate::headings::{Column, Item, is_no};
use crate::identity::{Matcher, Near, NearWhy};
use crate::people::{Record, cell};
use crate::reason::about;
use crate::table::{Row, Table, TableError};
use crate::{blackboard, brightspace, canvas};

/// A system with a gradebook that can be filled.
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

impl Gradebook {
    /// The system, in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Moodle => "moodle",
            Self::Canvas => "canvas",
            Self::Blackboard => "blackboard",
            Self::Brightspace => "brightspace",
        }
    }

    /// The system that exported a table, by its headings. A table of no other system is taken for a worksheet of Moodle, whose
    /// headings are in the language of its site.
    ///
    /// # Errors
    /// If it is no table.
    pub fn of(bytes: &[u8]) -> Result<Self, TableError> {
        let table = Table::read(bytes)?;
        let heads = table.heads();
        let has =
            |item: fn(&str) -> Option<Item<'_>>| heads.iter().any(|head| item(head).is_some());
        let is_canvas = |row: &Row| row.cells[0].contains(CANVAS_MAXIMA);
        Ok(if has(brightspace::item) {
            Self::Brightspace
        } else if has(blackboard::item) {
            Self::Blackboard
        } else if has(canvas::item) || table.rows.iter().any(is_canvas) {
            Self::Canvas
        } else {
            Self::Moodle
        })
    }
}

/// The first cell of Canvas' row of maxima.
const CANVAS_MAXIMA: &str = "Points Possible";

/// How a gradebook is filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct FillOptions<'a> {
    /// The assignment's column, by its heading, its title or its number; if there is none, the column of the assignment's
    /// title. A column with an unknown heading is named as `grade=Mark`.
    pub columns: &'a [String],
    /// Whether bonus points are left out.
    pub leave_bonus: bool,
    /// Whether points are scaled if the gradebook counts up to another number.
    pub scale: bool,
    /// The grades that were filled in before, by any run: they are replaced.
    pub earlier: Option<&'a BTreeMap<StudentId, BTreeSet<Points>>>,
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
    /// Our grades in it.
    pub grades: BTreeMap<StudentId, Points>,
    /// Whether anybody of ours has a row.
    pub has_rows: bool,
    /// What an instructor must know before uploading it: of the whole file, of our students, of rows without a student.
    pub remarks: Vec<Text>,
}

/// Where everything is in a gradebook, and what is to be written.
struct Plan<'a> {
    table: Table,
    /// The first row of a student.
    first: usize,
    columns: Vec<Option<Column>>,
    /// The system that numbered the students in the rows: its numbers decide alone.
    own: Option<System>,
    /// Whether the system refuses grades above the maximum.
    is_capped: bool,
    grade: usize,
    /// The maximum of all rows, if no column says it.
    maximum: Option<Points>,
    maxima: Option<usize>,
    changeable: Option<usize>,
    feedback: Option<usize>,
    assignment: &'a AssignmentInfo,
    options: FillOptions<'a>,
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
) -> Result<Filled, TableError> {
    let mut plan = Plan::new(gradebook, bytes, assignment, options)?;
    plan.check_maxima()?;
    let what = Text::new("the gradebook", "成绩册");
    let mut remarks: Vec<Text> = plan.table.note(&what).into_iter().collect();
    if plan.maximum.is_none() && plan.maxima.is_none() {
        remarks.push(Text::new(
            "the gradebook does not say the maximum grade: make sure that it is the assignment's points",
            "成绩册没有写明满分：请核对它与作业总分是否一致",
        ));
    }
    // A plain table has no such columns.
    let is_worksheet = plan.maxima.is_some() || plan.changeable.is_some();
    if gradebook == Gradebook::Moodle && is_worksheet && plan.feedback.is_none() {
        remarks.push(Text::new(
            "the worksheet has no column for comments: switch on feedback comments in Moodle, or name the column with \
             `--column feedback=HEADING`",
            "工作表没有评语列：请在 Moodle 开启评语反馈，或用 `--column feedback=表头` 指定",
        ));
    }
    let (rows, unmatched) = plan.match_rows(students);
    let has_rows = rows.iter().any(Option::is_some);
    let mut grades = BTreeMap::new();
    for (student, row) in students.iter().zip(rows) {
        let Some(row) = row else { continue };
        match plan.fill_row(row, student) {
            Err(remark) => remarks.push(remark),
            Ok((grade, notes)) => {
                grades.insert(student.id.clone(), grade);
                remarks.extend(notes);
                if let Some(column) = plan.feedback {
                    let ours = preformatted(&report(student), options.lang);
                    let comment = merged(plan.table.cell(row, column), &ours);
                    plan.table.rows[row].cells[column] = comment;
                }
            }
        }
    }
    remarks.extend(unmatched);
    Ok(Filled {
        bytes: plan.table.to_bytes(),
        grades,
        has_rows,
        remarks,
    })
}

impl<'a> Plan<'a> {
    fn new(
        gradebook: Gradebook,
        bytes: &[u8],
        assignment: &'a AssignmentInfo,
        options: FillOptions<'a>,
    ) -> Result<Self, TableError> {
        let (own, item): (_, fn(&str) -> Option<Item<'_>>) = match gradebook {
            Gradebook::Moodle => (Some(System::Moodle), |_| None),
            Gradebook::Canvas => (Some(System::Canvas), canvas::item),
            Gradebook::Blackboard => (None, blackboard::item),
            Gradebook::Brightspace => (None, brightspace::item),
        };
        let is_worksheet = gradebook == Gradebook::Moodle;
        let table = Table::read(bytes)?;
        let heads = table.heads();
        let (columns, asked) = columns(&heads, options.columns)?;
        let position = |wanted| columns.iter().position(|it| *it == Some(wanted));
        let (grade, maximum) = if is_worksheet {
            let heading = |asked: &str| heads.iter().position(|head| head == asked);
            let grade = asked.map_or_else(|| position(Column::Grade), heading);
            let asked = asked.unwrap_or("grade");
            (grade.ok_or_else(|| no_column(asked, &heads))?, "")
        } else {
            find(item, &heads, asked.unwrap_or(&assignment.title.en))?
        };
        // Canvas has the maxima in a row above the students.
        let mut rows = 1..table.rows.len();
        let above = rows.find(|&row| table.cell(row, 0).contains(CANVAS_MAXIMA));
        let maximum = above.map_or(maximum, |row| table.cell(row, grade).trim());
        let fixed = number(maximum);
        if fixed.is_none() && !maximum.is_empty() {
            return Err(not_points(&heads[grade], maximum));
        }
        if !columns.iter().flatten().any(|column| column.is_identity()) {
            return Err(TableError(format!(
                "no column says who is on each row; found {}",
                listed(&heads)
            )));
        }
        Ok(Self {
            first: above.unwrap_or_default() + 1,
            own,
            is_capped: is_worksheet,
            grade,
            maximum: fixed,
            maxima: position(Column::Maximum),
            changeable: position(Column::Changeable),
            feedback: position(Column::Feedback),
            columns,
            table,
            assignment,
            options,
        })
    }

    /// The maximum of a row; `None` if what stands there is no number.
    fn maximum(&self, row: usize) -> Option<Points> {
        match (self.maximum, self.maxima) {
            (Some(maximum), _) => Some(maximum),
            (None, Some(column)) => number(self.table.cell(row, column)),
            (None, None) => Some(self.assignment.points),
        }
    }

    /// Refuses a gradebook that counts otherwise than the assignment, whoever is in it: before a class is graded.
    fn check_maxima(&self) -> Result<(), TableError> {
        let rows = self.first..self.table.rows.len();
        let maxima: Vec<Points> = rows.clone().filter_map(|row| self.maximum(row)).collect();
        let has_none = maxima.is_empty() && !rows.is_empty();
        if let Some(column) = self.maxima.filter(|_| has_none) {
            let found = self.table.cell(rows.start, column);
            return Err(not_points(&self.table.heads()[column], found));
        }
        let AssignmentInfo { points, bonus, .. } = *self.assignment;
        let can_scale = self.options.scale && points > Points::ZERO;
        let is_wrong = |maximum: &Points| !can_scale && !self.is_whole(*maximum);
        let Some(maximum) = maxima.into_iter().find(is_wrong) else {
            return Ok(());
        };
        Err(TableError(format!(
            "the maximum grade is {maximum}, but the assignment has {points} points and {bonus} bonus points; set the maximum to {points}, \
             or scale the points to {maximum} with `--scale`"
        )))
    }

    /// Whether a maximum is the points of the assignment, or these with the bonus.
    fn is_whole(&self, maximum: Points) -> bool {
        let AssignmentInfo { points, bonus, .. } = *self.assignment;
        maximum == points || (!self.options.leave_bonus && maximum == points + bonus)
    }

    /// Points in the gradebook's scale.
    fn in_scale(&self, earned: Points, maximum: Points) -> Points {
        if self.is_whole(maximum) {
            earned
        } else {
            scaled(earned, maximum, self.assignment.points)
        }
    }

    /// The row of each student who has one, and what is to be known of the others and of the rows.
    fn match_rows(&self, students: &[StudentResult]) -> (Vec<Option<usize>>, Vec<Text>) {
        let rows = &self.table.rows[self.first..];
        // A table of one's own, which is read like a worksheet, may have student ids below `id`; Moodle writes `Participant 12345`.
        let identifier = |row: &Row| cell(&self.columns, &row.cells, Column::Identifier);
        let identifiers: BTreeSet<String> = rows.iter().filter_map(identifier).collect();
        let is_id = |it: &StudentResult| identifiers.contains(it.id.as_str());
        let has_own_ids = self.own == Some(System::Moodle) && students.iter().any(is_id);
        let own = self.own.filter(|_| !has_own_ids);
        let record = |row: &Row| Record::read(&self.columns, &row.cells, own);
        let records: Vec<Record> = rows.iter().map(record).collect();
        let matcher = Matcher::new(records.iter().map(|it| (it.id.as_deref(), &it.person)));
        let nobody = Person::default();
        let find = |student: &StudentResult| {
            let person = student.person.as_ref().unwrap_or(&nobody);
            matcher.find_in_gradebook(person, student.id.as_str(), own)
        };
        let found: Vec<Vec<usize>> = students.iter().map(find).collect();
        let mut counts = vec![0; rows.len()];
        for place in found.iter().flatten() {
            counts[*place] += 1;
        }
        let mut remarks = Vec::new();
        let mut explained = BTreeSet::new();
        let mut rows_of = Vec::new();
        for (student, places) in students.iter().zip(&found) {
            let is_only = |place: &&usize| places.len() == 1 && counts[**place] == 1;
            let row = places.first().filter(is_only);
            rows_of.push(row.map(|place| self.first + place));
            let lines = places.iter().map(|place| rows[*place].line.to_string());
            let lines: Vec<String> = lines.collect();
            if lines.is_empty() {
                let person = student.person.as_ref().unwrap_or(&nobody);
                let near = matcher.near_in_gradebook(person, student.id.as_str(), own);
                let near = near.into_iter().filter(|it| counts[it.place] == 0);
                let near: Vec<Near> = near.collect();
                explained.extend(near.iter().map(|it| it.place));
                remarks.push(no_row(student, &near, rows));
            } else if row.is_none() {
                let en = format!("could be on line {}, but not for certain", lines.join(", "));
                let zh = format!("可能是第 {} 行，但无法确定", lines.join("、"));
                remarks.push(about(student, &en, &zh));
            }
        }
        for (place, (row, count)) in rows.iter().zip(counts).enumerate() {
            if count == 0 && !explained.contains(&place) {
                let (line, who) = (row.line, escaped(row.cells[0].trim().as_bytes()));
                remarks.push(Text::new(
                    format!("line {line} ({who}): not in this class"),
                    format!("第 {line} 行（{who}）：不在本班"),
                ));
            }
        }
        (rows_of, remarks)
    }

    /// Writes a grade. Returns it and what is to be known of it, or why it was not written.
    fn fill_row(
        &mut self,
        row: usize,
        student: &StudentResult,
    ) -> Result<(Points, Vec<Text>), Text> {
        let line = self.table.rows[row].line;
        let cell = self.table.cell(row, self.grade).trim();
        let about = |en: &str, zh: &str| about(student, en, zh);
        let is_locked = |column| is_no(self.table.cell(row, column));
        let maximum = match self.maximum(row) {
            _ if cell.eq_ignore_ascii_case("EX") => Err(("excused", "为免做")),
            _ if self.changeable.is_some_and(is_locked) => {
                Err(("the grade is locked", "的成绩已锁定"))
            }
            maximum => maximum.ok_or(("no maximum grade", "没有写明满分")),
        };
        let maximum = maximum.map_err(|(en, zh)| {
            about(
                &format!("{en} on line {line}"),
                &format!("第 {line} 行{zh}"),
            )
        })?;
        let standing = if self.options.leave_bonus {
            student.standing_without_bonus()
        } else {
            student.standing()
        };
        let earned = match standing {
            Standing::Scored(points) => self.in_scale(points, maximum),
            Standing::Open(_) => return Err(about("not scored yet", "尚未评分")),
            Standing::Excused => return Err(about("excused", "免做")),
        };
        let most = self.is_capped.then_some(maximum);
        let grade = most.map_or(earned, |most| earned.min(most));
        let mut notes = Vec::new();
        // Blackboard has words for an attempt without a grade.
        let is_empty = matches!(cell, "" | "-")
            || cell.starts_with("Needs Grading")
            || cell.starts_with("In Progress");
        let earlier = self.options.earlier.and_then(|it| it.get(&student.id));
        let is_in_cell = |grade: Points| number(cell).is_some_and(|it| is_shown_as(grade, it));
        let is_same = is_in_cell(grade);
        let is_ours = is_same || earlier.is_some_and(|it| it.iter().any(|it| is_in_cell(*it)));
        if !is_empty && !is_ours {
            let old = escaped(cell.as_bytes());
            if !self.options.overwrite {
                let en = format!("line {line} has {old}, which stays; ours is {grade}");
                let zh = format!("第 {line} 行已有成绩 {old}，保持不变；本次评测得 {grade}");
                return Err(about(
                    &format!("{en} (`--overwrite` replaces it)"),
                    &format!("{zh}（`--overwrite` 可覆盖）"),
                ));
            }
            notes.push(about(
                &format!("was {old}, is {grade} now"),
                &format!("原为 {old}，现为 {grade}"),
            ));
        }
        if earned != grade {
            notes.push(about(
                &format!("earned {earned}, entered as {grade}, the maximum"),
                &format!("得 {earned} 分，按满分 {grade} 登记"),
            ));
        }
        // A grade that is there already stays as it is written.
        if !is_same {
            let text = grade.to_string().replace('.', self.table.decimal_sign());
            self.table.rows[row].cells[self.grade] = text;
        }
        Ok((grade, notes))
    }
}

/// That a student has no row, and which rows look like the student's: a person decides.
fn no_row(student: &StudentResult, near: &[Near], rows: &[Row]) -> Text {
    let mut text = Text::new("has no row", "没有对应的行");
    let our_name = student.person.as_ref().and_then(|it| it.name.as_deref());
    let shown = |text: &str| escaped(text.as_bytes());
    for Near { place, why } in near {
        let line = rows[*place].line;
        let (en, zh) = match why {
            NearWhy::OtherName { key, name } => {
                let ours = shown(our_name.unwrap_or_default());
                let [key, name] = [key, name].map(|it| shown(it));
                (
                    format!(
                        "; line {line} has the same id `{key}`, but the name is `{name}`: if they are one person, write `{ours}` there \
                         and fill the gradebook again"
                    ),
                    format!(
                        "；第 {line} 行的编号 `{key}` 相同，姓名却是 `{name}`：如果是同一人，请把该行的姓名改为 `{ours}` 再重新填写"
                    ),
                )
            }
            NearWhy::LostZeros { ours, theirs } => {
                let [ours, theirs] = [ours, theirs].map(|it| shown(it));
                (
                    format!(
                        "; line {line} has the id `{theirs}`: if zeros in front were lost, write `{ours}` there and fill the gradebook \
                         again"
                    ),
                    format!(
                        "；第 {line} 行的编号是 `{theirs}`：如果是丢了开头的 0，请把该行的编号改为 `{ours}` 再重新填写"
                    ),
                )
            }
        };
        text.en.push_str(&en);
        text.zh.push_str(&zh);
    }
    about(student, &text.en, &text.zh)
}

/// What each column is, by its heading or as `grade=Mark` names it, and the assignment that was asked for.
fn columns<'o>(
    heads: &[String],
    asked: &'o [String],
) -> Result<(Vec<Option<Column>>, Option<&'o str>), TableError> {
    let mut columns: Vec<Option<Column>> = heads.iter().map(|head| Column::of(head)).collect();
    let mut item = None;
    for asked in asked {
        let named = asked.split_once('=');
        let named = named.and_then(|(word, head)| Some((Column::from_word(word)?, head.trim())));
        let Some((column, head)) = named else {
            item = Some(asked.trim());
            continue;
        };
        let at = heads.iter().position(|it| it == head);
        let at = at.ok_or_else(|| no_column(head, heads))?;
        for known in columns.iter_mut().filter(|it| **it == Some(column)) {
            *known = None;
        }
        columns[at] = Some(column);
    }
    Ok((columns, item))
}

/// The column of the assignment that was asked for, by its number, its whole heading, or a title that no other has; and its
/// maximum.
fn find<'h>(
    item: fn(&str) -> Option<Item<'_>>,
    heads: &'h [String],
    asked: &str,
) -> Result<(usize, &'h str), TableError> {
    let ways: [fn(&str, &Item<'_>, &str) -> bool; 3] = [
        |_, item, asked| item.id == Some(asked),
        |head, _, asked| head == asked,
        |_, item, asked| item.title == asked,
    ];
    for is_asked in ways {
        let items = heads.iter().enumerate();
        let items = items.filter_map(|(at, head)| Some((at, head, item(head)?)));
        let found = items.filter(|(_, head, item)| is_asked(head, item, asked));
        match found.collect::<Vec<_>>().as_slice() {
            [] => {}
            [(at, _, item)] => return Ok((*at, item.maximum)),
            _ => break,
        }
    }
    Err(no_column(asked, heads))
}

fn no_column(asked: &str, heads: &[String]) -> TableError {
    TableError(format!(
        "no single column is {}; found {}; name it with `--column`, in a worksheet with `--column grade=HEADING`",
        quoted(asked),
        listed(heads)
    ))
}

fn not_points(column: &str, found: &str) -> TableError {
    TableError(format!(
        "the column {} cannot take points: its maximum is {}",
        quoted(column),
        quoted(found)
    ))
}

fn quoted(text: &str) -> String {
    format!("`{}`", escaped(text.as_bytes()))
}

fn listed(heads: &[String]) -> String {
    let heads: Vec<String> = heads.iter().map(|head| quoted(head)).collect();
    heads.join(", ")
}

/// A number with a point or a comma, and nothing between thousands.
fn number(text: &str) -> Option<Points> {
    let text = text.trim().replace(',', ".");
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    Points::try_from(text.parse::<f64>().ok().filter(|_| is_plain)?).ok()
}

/// Whether a grade is shown so: as it is, or with two decimals, as systems export it.
fn is_shown_as(grade: Points, shown: Points) -> bool {
    grade == shown || scaled(grade, Points::whole(1), Points::whole(1)) == shown
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

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        let read = |text| number(text).map(|points| points.to_string());
        assert_eq!(read("12.5"), Some("12.5".to_owned()));
        assert_eq!(read(" 100,00 "), Some("100".to_owned()));
        for no in ["", "-", "1e3", "-1", "1.000,5", "B+", "inf"] {
            assert_eq!(read(no), None, "{no}");
        }
    }
}

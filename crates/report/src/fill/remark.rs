//! What an instructor must know of a table that was filled.

use grader_model::{Points, StudentId, Text};

use crate::style::safe;

/// Something that was not filled, or not as it stands in the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FillRemark {
    /// The worksheet has no column for comments, so nobody gets any.
    NoFeedbackColumn,
    /// The worksheet does not tell the maximum grade, so nobody can tell whether the grades fit.
    NoMaximumColumn,
    /// A student of ours has no row.
    NoRow {
        /// The student.
        student: StudentId,
    },
    /// A student of ours could be in several rows; none was filled.
    SeveralRows {
        /// The student.
        student: StudentId,
        /// The lines of the rows, from 1.
        lines: Vec<usize>,
    },
    /// The row of a student may as well be another student's; it was not filled.
    SharedRow {
        /// The student.
        student: StudentId,
        /// The line of the row, from 1.
        line: usize,
        /// Number of other students whose row it may be.
        others: usize,
    },
    /// The row that a number says is a student's has another name; it was not filled.
    OtherName {
        /// The student.
        student: StudentId,
        /// The line of the row, from 1.
        line: usize,
        /// The name in the row.
        name: String,
        /// The name that we know.
        known: String,
    },
    /// A row is of no student of ours; it was not filled.
    NoStudent {
        /// The line of the row, from 1.
        line: usize,
        /// Whose it is, in the words of the file, escaped.
        who: String,
    },
    /// The grade is locked in Moodle; the row was not filled.
    Locked {
        /// The student.
        student: StudentId,
        /// The line of the row, from 1.
        line: usize,
    },
    /// The student is excused in Canvas; the row was not filled.
    Excused {
        /// The student.
        student: StudentId,
        /// The line of the row, from 1.
        line: usize,
    },
    /// Points are open; the row was not filled.
    Open {
        /// The student.
        student: StudentId,
    },
    /// The row ends before the column of the grade; it was not filled.
    ShortRow {
        /// The student.
        student: StudentId,
        /// The line of the row, from 1.
        line: usize,
    },
    /// Another grade stood there, and ours took its place.
    Replaced {
        /// The student.
        student: StudentId,
        /// The grade that stood there.
        old: Points,
        /// Ours.
        new: Points,
    },
    /// More was earned than the system takes: the grade is its maximum.
    Capped {
        /// The student.
        student: StudentId,
        /// What was earned.
        earned: Points,
        /// The grade.
        maximum: Points,
    },
    /// The explanation of the score is longer than a cell may be, and was cut.
    FeedbackCut {
        /// The student.
        student: StudentId,
    },
    /// A student has no number in this system, so nothing can be made for it.
    NoNumber {
        /// The student.
        student: StudentId,
    },
    /// Several students have the same number; nothing was made for this one.
    SharedNumber {
        /// The student.
        student: StudentId,
        /// The number.
        number: String,
    },
}

impl FillRemark {
    /// Whether it only tells how a row was filled; all others tell of something that was not.
    pub const fn is_filled(&self) -> bool {
        matches!(
            self,
            Self::NoMaximumColumn
                | Self::Replaced { .. }
                | Self::Capped { .. }
                | Self::FeedbackCut { .. }
        )
    }

    /// One line for people.
    pub fn text(&self) -> Text {
        let about = |student: &StudentId, en: String, zh: String| {
            let student = safe(student.as_str());
            Text::new(format!("{student}: {en}"), format!("{student}：{zh}"))
        };
        match self {
            Self::NoFeedbackColumn => Text::new(
                "the worksheet has no column for comments: switch on feedback comments in Moodle, or name the column with `--column feedback=HEADER`",
                "工作表没有评语列：请在 Moodle 开启评语反馈，或用 `--column feedback=表头` 指定",
            ),
            Self::NoMaximumColumn => Text::new(
                "the worksheet does not tell the maximum grade: see that it is the assignment's points, or name the column with `--column maximum=HEADER`",
                "工作表没有满分列：请核对满分与作业总分一致，或用 `--column maximum=表头` 指定",
            ),
            Self::NoRow { student } => about(student, "has no row".into(), "没有对应的行".into()),
            Self::SeveralRows { student, lines } => {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                about(
                    student,
                    format!("may be on any of the lines {}", lines.join(", ")),
                    format!("可能是第 {} 行中的任何一行", lines.join("、")),
                )
            }
            Self::SharedRow {
                student,
                line,
                others,
            } => about(
                student,
                format!("line {line} may be of {others} more of our students"),
                format!("第 {line} 行也可能属于另外 {others} 名学生"),
            ),
            Self::OtherName {
                student,
                line,
                name,
                known,
            } => {
                let (name, known) = (safe(name), safe(known));
                about(
                    student,
                    format!(
                        "the number is that of line {line}, but the name there is `{name}`, not `{known}`"
                    ),
                    format!("编号与第 {line} 行相同，但该行姓名是 `{name}`，不是 `{known}`"),
                )
            }
            Self::NoStudent { line, who } => Text::new(
                format!("line {line} ({}): no student of ours", safe(who)),
                format!("第 {line} 行（{}）：不是我们的学生", safe(who)),
            ),
            Self::Locked { student, line } => about(
                student,
                format!("the grade on line {line} is locked"),
                format!("第 {line} 行的成绩已锁定"),
            ),
            Self::Excused { student, line } => about(
                student,
                format!("excused on line {line}"),
                format!("第 {line} 行为免交"),
            ),
            Self::Open { student } => about(student, "not graded".into(), "尚未评分".into()),
            Self::ShortRow { student, line } => about(
                student,
                format!("line {line} ends before the grade"),
                format!("第 {line} 行不到成绩列就结束了"),
            ),
            Self::Replaced { student, old, new } => about(
                student,
                format!("was {old}, is {new} now"),
                format!("原为 {old} 分，现为 {new} 分"),
            ),
            Self::Capped {
                student,
                earned,
                maximum,
            } => about(
                student,
                format!("earned {earned}, entered as {maximum}, the maximum"),
                format!("得 {earned} 分，按满分 {maximum} 登记"),
            ),
            Self::FeedbackCut { student } => about(
                student,
                "the explanation is cut: it is longer than a cell may be".into(),
                "说明超过单元格的长度，已截断".into(),
            ),
            Self::NoNumber { student } => about(
                student,
                "has no number in that system".into(),
                "没有该系统的编号".into(),
            ),
            Self::SharedNumber { student, number } => about(
                student,
                format!("the number {} is of several students", safe(number)),
                format!("编号 {} 属于不止一名学生", safe(number)),
            ),
        }
    }
}

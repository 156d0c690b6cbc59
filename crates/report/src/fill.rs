//! What filling somebody else's table of grades has in common, whichever system the table is from.

mod matching;
mod remark;

use grader_model::{AssignmentInfo, Points, StudentResult, Text};

use crate::style::safe;

pub(crate) use matching::{Key, Table, match_rows};
pub use remark::FillRemark;

/// A table with our grades in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The file: the teacher's own but for the cells that were filled.
    pub bytes: Vec<u8>,
    /// Number of rows that have a grade of ours now.
    pub written: usize,
    /// What an instructor must know before the file is uploaded: what concerns the whole file, then rows of our
    /// students, then students without a row, both in the order of the class, then rows without a student.
    pub remarks: Vec<FillRemark>,
}

/// Whether bonus points count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bonus {
    /// They come on top of the points.
    #[default]
    Count,
    /// They are left out.
    Leave,
}

/// Why a table was not filled. Nothing is written then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text().en)]
pub enum FillError {
    /// The file begins as UTF-16 does.
    Utf16,
    /// The file is in another encoding than UTF-8.
    NotUtf8 {
        /// The line of the first byte that cannot be UTF-8, from 1.
        line: usize,
    },
    /// A quoted cell does not end.
    OpenQuote {
        /// The line on which its row begins, from 1.
        line: usize,
    },
    /// There is no row.
    Empty,
    /// A column that is needed was not found.
    NoColumn {
        /// The word for the column: `grade`.
        column: &'static str,
        /// The heads that were found.
        heads: Vec<String>,
    },
    /// Several columns could be the one.
    SeveralColumns {
        /// The word for the column, or what was asked for.
        column: String,
        /// The heads that fit.
        heads: Vec<String>,
    },
    /// There is no column of the name that was asked for.
    NoSuchColumn {
        /// What was asked for.
        asked: String,
        /// The heads among which it must be.
        heads: Vec<String>,
    },
    /// There is nothing by which a row could be told to be a student's.
    NoIdentity {
        /// The heads that were found.
        heads: Vec<String>,
    },
    /// The column cannot be written: the system computes it.
    ReadOnly {
        /// Its head.
        column: String,
    },
    /// A gradebook without the row that says how many points are possible.
    NoPointsPossible,
    /// What should be the maximum grade is no number.
    NoNumber {
        /// What stands there.
        found: String,
        /// The line, from 1.
        line: usize,
    },
    /// The table counts up to another number than the assignment.
    Maximum {
        /// The maximum in the table.
        table: Points,
        /// The line, from 1.
        line: usize,
        /// The points of the assignment.
        points: Points,
        /// The bonus points of the assignment.
        bonus: Points,
    },
}

impl FillError {
    /// The failure, for people.
    pub fn text(&self) -> Text {
        match self {
            Self::Utf16 => Text::new(
                "the file is UTF-16; save it as `CSV UTF-8` and fill that",
                "文件是 UTF-16 编码；请另存为“CSV UTF-8”再填",
            ),
            Self::NotUtf8 { line } => Text::new(
                format!("line {line} is not UTF-8; save the file as `CSV UTF-8` and fill that"),
                format!("第 {line} 行不是 UTF-8；请另存为“CSV UTF-8”再填"),
            ),
            Self::OpenQuote { line } => Text::new(
                format!("the row on line {line} has a quote that is not closed"),
                format!("第 {line} 行的引号没有闭合"),
            ),
            Self::Empty => Text::new("the table is empty", "表格是空的"),
            Self::NoColumn { column, heads } => {
                let found = listed(heads);
                Text::new(
                    format!(
                        "no column is known to be `{column}`; found {found}; name it with `--column {column}=HEADER`"
                    ),
                    format!(
                        "认不出哪一列是 `{column}`；表头有 {found}；请用 `--column {column}=表头` 指定"
                    ),
                )
            }
            Self::SeveralColumns { column, heads } => {
                let found = listed(heads);
                Text::new(
                    format!("several columns could be `{column}`: {found}"),
                    format!("不止一列可能是 `{column}`：{found}"),
                )
            }
            Self::NoSuchColumn { asked, heads } => {
                let (asked, found) = (safe(asked), listed(heads));
                Text::new(
                    format!("there is no column `{asked}`; found {found}"),
                    format!("没有列 `{asked}`；现有 {found}"),
                )
            }
            Self::NoIdentity { heads } => {
                let found = listed(heads);
                Text::new(
                    format!(
                        "no column tells whose row it is; found {found}; name one with `--column identifier=HEADER`"
                    ),
                    format!(
                        "没有列能说明每行是谁；表头有 {found}；请用 `--column identifier=表头` 指定"
                    ),
                )
            }
            Self::ReadOnly { column } => {
                let column = safe(column);
                Text::new(
                    format!("the column `{column}` is read-only"),
                    format!("列 `{column}` 是只读的"),
                )
            }
            Self::NoPointsPossible => Text::new(
                "the gradebook has no row `Points Possible`; export it from Canvas once more",
                "成绩册没有 `Points Possible` 行；请从 Canvas 重新导出",
            ),
            Self::NoNumber { found, line } => {
                let found = safe(found);
                Text::new(
                    format!("line {line}: the maximum grade `{found}` is not a number"),
                    format!("第 {line} 行：满分 `{found}` 不是数字"),
                )
            }
            Self::Maximum {
                table,
                line,
                points,
                bonus,
            } => {
                let (en, zh) = if *bonus == Points::ZERO {
                    (String::new(), String::new())
                } else {
                    (
                        format!(" and {bonus} bonus points"),
                        format!("，附加 {bonus} 分"),
                    )
                };
                Text::new(
                    format!(
                        "line {line}: the maximum grade is {table}, but the assignment has {points} points{en}; \
                         set the maximum to {points}, or scale the points to {table} with `--scale`"
                    ),
                    format!(
                        "第 {line} 行：满分是 {table}，而作业是 {points} 分{zh}；\
                         请把满分改成 {points}，或用 `--scale` 折算到 {table}"
                    ),
                )
            }
        }
    }
}

/// Heads of columns, quoted.
fn listed(heads: &[String]) -> String {
    let heads: Vec<String> = heads
        .iter()
        .map(|head| format!("`{}`", safe(head)))
        .collect();
    heads.join(", ")
}

/// How points become a grade of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GradeRule {
    pub(crate) bonus: Bonus,
    /// Whether points are scaled where the table counts up to another number.
    pub(crate) scale: bool,
    /// Whether the system refuses grades above its maximum.
    pub(crate) cap: bool,
}

/// A grade, and what it would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grade {
    pub(crate) value: Points,
    /// What was earned, where that is above the maximum and was cut to it.
    pub(crate) capped: Option<Points>,
}

impl GradeRule {
    /// Whether the maximum of a table is one that this rule can serve.
    ///
    /// It is where it is the points of the assignment, or these with the bonus, or where it may be scaled.
    pub(crate) fn serves(self, assignment: &AssignmentInfo, maximum: Points) -> bool {
        let with_bonus = assignment.points + assignment.bonus;
        maximum == assignment.points
            || (self.bonus == Bonus::Count && maximum == with_bonus)
            || (self.scale && assignment.points > Points::ZERO)
    }

    /// The grade of a student; nothing while points are open.
    pub(crate) fn grade(
        self,
        student: &StudentResult,
        assignment: &AssignmentInfo,
        maximum: Points,
    ) -> Option<Grade> {
        let points = student.points()?;
        let earned = match self.bonus {
            Bonus::Count => points + student.bonus()?,
            Bonus::Leave => points,
        };
        let whole = maximum == assignment.points
            || (self.bonus == Bonus::Count && maximum == assignment.points + assignment.bonus);
        let value = if whole {
            earned
        } else {
            scaled(earned, maximum, assignment.points)
        };
        let capped = (self.cap && value > maximum).then_some(value);
        Some(Grade {
            value: if capped.is_some() { maximum } else { value },
            capped,
        })
    }
}

/// `earned` of `all`, in a table that counts up to `maximum`, rounded half up to a hundredth.
fn scaled(earned: Points, maximum: Points, all: Points) -> Points {
    let all = u128::from(all.thousandths()).max(1);
    let exact = u128::from(earned.thousandths()) * u128::from(maximum.thousandths());
    let hundredths = (exact + 5 * all) / (10 * all);
    Points::from_thousandths(u64::try_from(hundredths * 10).unwrap_or(u64::MAX))
}

/// A number of a table: with a point or a comma, and nothing between thousands.
pub(crate) fn number(text: &str) -> Option<Points> {
    let text = text.trim().replace(',', ".");
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    if text.chars().all(plain) {
        Points::from_f64(text.trim().parse().ok()?).ok()
    } else {
        None
    }
}

/// Whether numbers of a table have a decimal comma, by the first that has decimals.
pub(crate) fn has_decimal_comma<'a>(cells: impl IntoIterator<Item = &'a str>) -> bool {
    cells
        .into_iter()
        .filter(|cell| number(cell).is_some())
        .find_map(|cell| cell.chars().find(|c| matches!(c, ',' | '.')))
        == Some(',')
}

/// Points as the table writes them.
pub(crate) fn written(points: Points, comma: bool) -> String {
    let text = points.to_string();
    if comma { text.replace('.', ",") } else { text }
}

#[cfg(test)]
pub(crate) mod tests;

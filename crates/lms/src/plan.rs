//! Where everything is in a gradebook, and why it cannot be found.

use grader_model::{Points, System, Text, escaped};

use crate::people::Identity;
use crate::table::{Table, TableError};

/// How many points a row takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Maximum {
    Unknown,
    Fixed(Points),
    /// A column says it for each row.
    Column(usize),
}

impl Maximum {
    pub(crate) fn read(text: &str) -> Option<Self> {
        number(text).map(Self::Fixed)
    }
}

/// A column of an assignment.
pub(crate) struct Item {
    pub(crate) column: usize,
    pub(crate) title: String,
    /// The system's number of the assignment.
    pub(crate) id: Option<String>,
    /// What stands in the place of the maximum.
    pub(crate) maximum: String,
}

impl Item {
    /// The item that was asked for: by its number, its whole heading, or a title that no other has.
    pub(crate) fn find(items: Vec<Self>, heads: &[String], asked: &str) -> Result<Self, FillError> {
        let asked = asked.trim();
        let all: Vec<String> = items
            .iter()
            .map(|item| heads[item.column].clone())
            .collect();
        let ways: [&dyn Fn(&Self) -> bool; 3] = [
            &|item| item.id.as_deref() == Some(asked),
            &|item| heads[item.column] == asked,
            &|item| item.title == asked,
        ];
        let way = ways
            .into_iter()
            .find(|is| items.iter().any(|item| is(item)));
        let Some(way) = way else {
            let asked = asked.to_owned();
            return Err(FillError::NoSuchColumn { asked, heads: all });
        };
        let mut found: Vec<Self> = items.into_iter().filter(|item| way(item)).collect();
        match found.pop() {
            Some(only) if found.is_empty() => Ok(only),
            last => Err(FillError::SeveralColumns {
                column: asked.to_owned(),
                heads: found
                    .iter()
                    .chain(&last)
                    .map(|item| heads[item.column].clone())
                    .collect(),
            }),
        }
    }

    pub(crate) fn not_points(&self, heads: &[String]) -> FillError {
        FillError::NotPoints {
            column: heads[self.column].clone(),
            found: self.maximum.clone(),
        }
    }
}

/// Where everything is in a gradebook.
pub(crate) struct Plan {
    pub(crate) table: Table,
    /// The first row of a student.
    pub(crate) first: usize,
    pub(crate) identity: Identity,
    /// The system whose numbers decide alone.
    pub(crate) own: Option<System>,
    pub(crate) grade: usize,
    pub(crate) maximum: Maximum,
    /// Whether the system refuses grades above the maximum.
    pub(crate) is_capped: bool,
    pub(crate) changeable: Option<usize>,
    pub(crate) feedback: Option<usize>,
}

impl Plan {
    pub(crate) fn new(
        table: Table,
        first: usize,
        identity: Identity,
        grade: usize,
        maximum: Maximum,
    ) -> Result<Self, FillError> {
        if !identity.names_people() {
            let heads = table.heads();
            return Err(FillError::NoIdentity { heads });
        }
        Ok(Self {
            table,
            first,
            identity,
            own: None,
            grade,
            maximum,
            is_capped: false,
            changeable: None,
            feedback: None,
        })
    }
}

/// A number with a point or a comma, and nothing between thousands.
pub(crate) fn number(text: &str) -> Option<Points> {
    let text = text.trim().replace(',', ".");
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    Points::from_f64(text.parse().ok().filter(|_| is_plain)?).ok()
}

/// Why a gradebook was not filled. Nothing is written then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text().en)]
pub enum FillError {
    /// The file is no table.
    NotATable(Text),
    /// `--column` of Moodle is not `COLUMN=HEADING`.
    NotAColumn {
        /// What was asked for.
        asked: String,
        /// The words for the columns.
        words: String,
    },
    /// A column that is needed was not found.
    NoColumn {
        /// The word for the column: `grade`.
        column: &'static str,
        /// The headings that were found.
        heads: Vec<String>,
    },
    /// Several columns could be the one.
    SeveralColumns {
        /// The word for the column, or what was asked for.
        column: String,
        /// The headings that fit.
        heads: Vec<String>,
    },
    /// There is no column of the name that was asked for.
    NoSuchColumn {
        /// What was asked for.
        asked: String,
        /// The headings among which it must be.
        heads: Vec<String>,
    },
    /// No column says who is on a row.
    NoIdentity {
        /// The headings that were found.
        heads: Vec<String>,
    },
    /// A column holds something other than points.
    NotPoints {
        /// Its heading.
        column: String,
        /// What stands in the place of the maximum.
        found: String,
    },
    /// A gradebook of Canvas without the row that says how many points are possible.
    NoPointsPossible,
    /// The gradebook counts up to another number than the assignment.
    Maximum {
        /// The maximum in the gradebook.
        gradebook: Points,
        /// The points of the assignment.
        points: Points,
        /// The bonus points of the assignment.
        bonus: Points,
    },
}

impl From<TableError> for FillError {
    fn from(error: TableError) -> Self {
        Self::NotATable(error.text())
    }
}

impl FillError {
    /// The failure, for people.
    pub fn text(&self) -> Text {
        let quoted = |text: &str| format!("`{}`", escaped(text.as_bytes()));
        let listed = |heads: &[String]| {
            let heads: Vec<String> = heads.iter().map(|head| quoted(head)).collect();
            heads.join(", ")
        };
        let (en, zh) = match self {
            Self::NotATable(text) => return text.clone(),
            Self::NotAColumn { asked, words } => {
                let asked = quoted(asked);
                (
                    format!(
                        "`--column` {asked}: expected COLUMN=HEADING, where COLUMN is one of {words}"
                    ),
                    format!("`--column` {asked}：应为 COLUMN=表头，其中 COLUMN 是 {words} 之一"),
                )
            }
            Self::NoColumn { column, heads } => {
                let found = listed(heads);
                (
                    format!(
                        "no column is known to be `{column}`; found {found}; name it with `--column {column}=HEADING`"
                    ),
                    format!(
                        "认不出哪一列是 `{column}`；表头有 {found}；请用 `--column {column}=表头` 指定"
                    ),
                )
            }
            Self::SeveralColumns { column, heads } => {
                let (column, found) = (quoted(column), listed(heads));
                (
                    format!("several columns could be {column}: {found}"),
                    format!("不止一列可能是 {column}：{found}"),
                )
            }
            Self::NoSuchColumn { asked, heads } => {
                let (asked, found) = (quoted(asked), listed(heads));
                (
                    format!("there is no column {asked}; found {found}; name it with `--column`"),
                    format!("没有列 {asked}；现有 {found}；请用 `--column` 指定"),
                )
            }
            Self::NoIdentity { heads } => {
                let found = listed(heads);
                (
                    format!("no column says who is on each row; found {found}"),
                    format!("没有列能说明每行是谁；表头有 {found}"),
                )
            }
            Self::NotPoints { column, found } => {
                let (column, found) = (quoted(column), quoted(found));
                (
                    format!("the column {column} cannot take points: its maximum is {found}"),
                    format!("列 {column} 不能填写分数：满分处为 {found}"),
                )
            }
            Self::NoPointsPossible => (
                "the gradebook has no row `Points Possible`; export it from Canvas again"
                    .to_owned(),
                "成绩册没有 `Points Possible` 行；请从 Canvas 重新导出".to_owned(),
            ),
            Self::Maximum {
                gradebook,
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
                (
                    format!(
                        "the maximum grade is {gradebook}, but the assignment has {points} points{en}; set the maximum to \
                         {points}, or scale the points to {gradebook} with `--scale`"
                    ),
                    format!(
                        "满分是 {gradebook}，而作业是 {points} 分{zh}；请把满分改成 {points}，或用 `--scale` 折算到 {gradebook}"
                    ),
                )
            }
        };
        Text::new(en, zh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

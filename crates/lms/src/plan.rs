//! Where everything is in a gradebook, and why it cannot be found.

use grader_model::{Points, System, escaped};

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
        let way = ways.into_iter().find(|is| items.iter().any(is));
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
    Points::try_from(text.parse::<f64>().ok().filter(|_| is_plain)?).ok()
}

/// Why a gradebook was not filled. Nothing is written then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The file is no table.
    #[error(transparent)]
    NotATable(#[from] TableError),
    /// `--column` of Moodle is not `COLUMN=HEADING`.
    #[error(
        "`--column {}`: expected COLUMN=HEADING, where COLUMN is one of {words}",
        escaped(asked.as_bytes())
    )]
    NotAColumn {
        /// What was asked for.
        asked: String,
        /// The words for the columns.
        words: &'static str,
    },
    /// A column that is needed was not found.
    #[error(
        "no column is known to be `{column}`; found {}; name it with `--column {column}=HEADING`",
        listed(heads)
    )]
    NoColumn {
        /// The word for the column: `grade`.
        column: &'static str,
        /// The headings that were found.
        heads: Vec<String>,
    },
    /// Several columns could be the one.
    #[error("several columns could be {}: {}", quoted(column), listed(heads))]
    SeveralColumns {
        /// The word for the column, or what was asked for.
        column: String,
        /// The headings that fit.
        heads: Vec<String>,
    },
    /// There is no column of the name that was asked for.
    #[error(
        "there is no column {}; found {}; name it with `--column`",
        quoted(asked),
        listed(heads)
    )]
    NoSuchColumn {
        /// What was asked for.
        asked: String,
        /// The headings among which it must be.
        heads: Vec<String>,
    },
    /// No column says who is on a row.
    #[error("no column says who is on each row; found {}", listed(heads))]
    NoIdentity {
        /// The headings that were found.
        heads: Vec<String>,
    },
    /// A column holds something other than points.
    #[error(
        "the column {} cannot take points: its maximum is {}",
        quoted(column),
        quoted(found)
    )]
    NotPoints {
        /// Its heading.
        column: String,
        /// What stands in the place of the maximum.
        found: String,
    },
    /// A gradebook of Canvas without the row that says how many points are possible.
    #[error("the gradebook has no row `Points Possible`; export it from Canvas again")]
    NoPointsPossible,
    /// The gradebook counts up to another number than the assignment.
    #[error(
        "the maximum grade is {gradebook}, but the assignment has {points} points{}; set the maximum to {points}, or \
         scale the points to {gradebook} with `--scale`",
        and_bonus(*bonus)
    )]
    Maximum {
        /// The maximum in the gradebook.
        gradebook: Points,
        /// The points of the assignment.
        points: Points,
        /// The bonus points of the assignment.
        bonus: Points,
    },
}

fn and_bonus(bonus: Points) -> String {
    if bonus == Points::ZERO {
        return String::new();
    }
    format!(" and {bonus} bonus points")
}

fn quoted(text: &str) -> String {
    format!("`{}`", escaped(text.as_bytes()))
}

fn listed(heads: &[String]) -> String {
    let heads: Vec<String> = heads.iter().map(|head| quoted(head)).collect();
    heads.join(", ")
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

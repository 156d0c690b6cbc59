//! The table of all and fundamental solutions, and how it compares with published rows.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::RangeInclusive;
use std::path::Path;

/// More bytes than any table has: one beyond it is something else.
const LARGEST: u64 = 1 << 20;
/// So many characters of a line that is no row are enough to find it.
const SHOWN: usize = 80;

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of queens.
    pub n: u32,
    /// The number of solutions up to symmetry.
    pub fundamental: u64,
    /// The number of solutions.
    pub all: u64,
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            n,
            fundamental,
            all,
        } = self;
        write!(f, "n = {n}: {fundamental} fundamental, {all} in all")
    }
}

/// The lines of a table whose rows are written one by one, each when it is known.
///
/// ```text
///  n  fundamental    all  growth
///  7            6     40   10.00
///  8           12     92    2.30
/// ```
#[derive(Debug)]
pub struct Layout {
    fundamental: usize,
    all: usize,
    /// All solutions of the row before.
    before: Option<u64>,
}

impl Layout {
    /// The layout of a table whose last row is that of `last` queens.
    ///
    /// The width of the numbers is set before they are known: there are fewer solutions than
    /// permutations, and two digits for every three queens have always been enough.
    pub fn new(last: u32) -> Self {
        let digits = last as usize * 2 / 3 + 1;
        Self {
            fundamental: digits.max("fundamental".len()),
            all: digits.max("all".len()),
            before: None,
        }
    }

    /// The line above the rows.
    pub fn header(&self) -> String {
        let Self {
            fundamental, all, ..
        } = *self;
        format!(
            "{:>2}  {:>fundamental$}  {:>all$}  {:>6}",
            "n", "fundamental", "all", "growth"
        )
    }

    /// The line of the next row. Its growth is how many times the solutions of the row before it
    /// has, `-` where there is no row before, or none with a solution.
    pub fn line(&mut self, row: Row) -> String {
        let growth = match self.before.replace(row.all) {
            None | Some(0) => "-".to_owned(),
            Some(before) => format!("{:.2}", row.all as f64 / before as f64),
        };
        let Self {
            fundamental, all, ..
        } = *self;
        format!(
            "{:>2}  {:>fundamental$}  {:>all$}  {growth:>6}",
            row.n, row.fundamental, row.all
        )
    }
}

/// Why a file with published rows cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The file is too large for a table.
    #[error("it is larger than {LARGEST} bytes, so it is no table")]
    Large,
    /// A line is no row.
    #[error("line {line}: expected three numbers, `n fundamental all`, found `{}`", found.escape_debug())]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// How it begins.
        found: String,
    },
    /// A row that is to be compared is missing.
    #[error("there is no row for n = {0}")]
    Missing(u32),
    /// A row is there twice.
    #[error("line {line}: there is a row for n = {n} already")]
    Twice {
        /// The line of the second one, counted from 1.
        line: usize,
        /// The number of queens.
        n: u32,
    },
}

/// Reads the rows for the numbers of queens in `rows` from a file as [`published`] describes it.
pub fn read_published(path: &Path, rows: RangeInclusive<u32>) -> Result<Vec<Row>, TableError> {
    let mut text = String::new();
    // What never ends, as a device may, is not read for ever.
    let read = File::open(path)?
        .take(LARGEST + 1)
        .read_to_string(&mut text);
    if text.len() as u64 > LARGEST {
        return Err(TableError::Large);
    }
    read?;
    published(&text, rows)
}

/// Reads the rows for the numbers of queens in `rows` from a text of lines `n fundamental all`.
///
/// As in the files of the On-Line Encyclopedia of Integer Sequences, empty lines and lines that
/// begin with `#` are left out. The rows may be in any order.
pub fn published(text: &str, rows: RangeInclusive<u32>) -> Result<Vec<Row>, TableError> {
    let mut known = BTreeMap::new();
    // Some editors put a mark of the encoding in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, content) in text.lines().enumerate() {
        let (line, content) = (index + 1, content.trim());
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let row = row(content).ok_or_else(|| TableError::Line {
            line,
            found: content.chars().take(SHOWN).collect(),
        })?;
        if known.insert(row.n, row).is_some() {
            return Err(TableError::Twice { line, n: row.n });
        }
    }
    rows.map(|n| known.get(&n).copied().ok_or(TableError::Missing(n)))
        .collect()
}

/// Reads the three numbers of a row.
fn row(line: &str) -> Option<Row> {
    let mut words = line.split_whitespace();
    let row = Row {
        n: words.next()?.parse().ok()?,
        fundamental: words.next()?.parse().ok()?,
        all: words.next()?.parse().ok()?,
    };
    words.next().is_none().then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_stay_below_their_headings() {
        let mut layout = Layout::new(27);
        assert_eq!(
            layout.header(),
            " n          fundamental                  all  growth"
        );
        let row = |n, fundamental, all| Row {
            n,
            fundamental,
            all,
        };
        assert_eq!(
            layout.line(row(26, 2_789_712_466_510_289, 22_317_699_616_364_044)),
            "26     2789712466510289    22317699616364044       -"
        );
        assert_eq!(
            layout.line(row(27, 29_363_495_934_315_694, 234_907_967_154_122_528)),
            "27    29363495934315694   234907967154122528   10.53"
        );
    }

    #[test]
    fn rows_are_found_in_any_order_between_comments() {
        let text = "\u{feff}# n fundamental all\n\n5 2 10\r\n  4\t1 2  \n6 1 4";
        let row = |n, fundamental, all| Row {
            n,
            fundamental,
            all,
        };
        assert_eq!(
            published(text, 4..=5).unwrap(),
            [row(4, 1, 2), row(5, 2, 10)]
        );
    }

    #[test]
    fn a_file_that_is_no_table_is_refused() {
        for (text, message) in [
            (
                "4 1 2\nfive",
                "line 2: expected three numbers, `n fundamental all`, found `five`",
            ),
            (
                "4 1",
                "line 1: expected three numbers, `n fundamental all`, found `4 1`",
            ),
            (
                "4 1 2 3",
                "line 1: expected three numbers, `n fundamental all`, found `4 1 2 3`",
            ),
            (
                "4\u{1b}1\u{0}2",
                "line 1: expected three numbers, `n fundamental all`, found `4\\u{1b}1\\02`",
            ),
            ("4 1 2\n4 1 2", "line 2: there is a row for n = 4 already"),
            ("4 1 2\n6 1 4", "there is no row for n = 5"),
        ] {
            assert_eq!(published(text, 4..=6).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn of_a_long_line_the_beginning_is_shown() {
        assert_eq!(
            published(&"x".repeat(1000), 4..=6).unwrap_err().to_string(),
            format!(
                "line 1: expected three numbers, `n fundamental all`, found `{}`",
                "x".repeat(80)
            )
        );
    }

    #[test]
    fn a_file_that_is_too_large_for_a_table_is_not_read_to_its_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 40).unwrap();
        let fault = read_published(file.path(), 4..=5).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "it is larger than 1048576 bytes, so it is no table"
        );
    }
}

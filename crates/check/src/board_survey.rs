//! What the lines of an output are, as rows of a board.

use crate::board_reading::{Format, RowError};

/// What one look at all lines finds. Nothing is kept of them: a hostile output has millions.
pub(crate) struct Survey<'a> {
    /// Number of lines.
    pub(crate) lines: usize,
    /// Number of lines that are rows.
    pub(crate) rows: usize,
    /// The index of the first line that is a row.
    pub(crate) first_row: Option<usize>,
    /// The first line that is no row.
    pub(crate) mistake: Option<Mistake<'a>>,
}

/// A line that is no row.
#[derive(Clone, Copy)]
pub(crate) struct Mistake<'a> {
    /// Its index, from 0.
    pub(crate) index: usize,
    /// The line.
    pub(crate) line: &'a [u8],
    /// Why it is none.
    pub(crate) error: RowError,
}

impl<'a> Survey<'a> {
    pub(crate) fn of(lines: impl Iterator<Item = &'a [u8]>, format: &Format<'_>) -> Self {
        let mut survey = Self {
            lines: 0,
            rows: 0,
            first_row: None,
            mistake: None,
        };
        for (index, line) in lines.enumerate() {
            survey.lines += 1;
            match format.read(line, |_| ()) {
                Ok(()) => {
                    survey.rows += 1;
                    survey.first_row.get_or_insert(index);
                }
                Err(error) => {
                    survey.mistake.get_or_insert(Mistake { index, line, error });
                }
            }
        }
        survey
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_and_the_first_mistake_is_kept() {
        let format = Format {
            size: 2,
            queen: "Q",
            blank: "#",
            separator: "",
        };
        let lines = [&b"n: 2"[..], b"Q#", b"#Q", b"QQQ"];
        let survey = Survey::of(lines.into_iter(), &format);
        assert_eq!((survey.lines, survey.rows), (4, 2));
        assert_eq!(survey.first_row, Some(1));
        let mistake = survey.mistake.unwrap();
        assert_eq!((mistake.index, mistake.line), (0, &b"n: 2"[..]));
        assert_eq!(mistake.error, RowError::Symbol { cell: 1, at: 0 });
    }
}

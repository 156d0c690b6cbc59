//! Boards in the symbols a task asks for.

/// How the rows of a board are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format<'a> {
    /// Number of rows and columns.
    pub(crate) size: u32,
    /// The symbol of a queen.
    pub(crate) queen: &'a str,
    /// The symbol of an empty cell.
    pub(crate) blank: &'a str,
    /// What stands between cells.
    pub(crate) separator: &'a str,
}

/// Why a line is not a row of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowError {
    /// At this byte there is no symbol, or no separator, where this cell (from 1) should be.
    Symbol {
        /// The cell, from 1.
        cell: usize,
        /// The byte, from 0.
        at: usize,
    },
    /// All symbols are right, but there are so many.
    Length(usize),
}

impl Format<'_> {
    /// Whether an empty cell is white space, so that the blanks at the end of a row may be missing.
    pub(crate) fn blank_is_white(&self) -> bool {
        self.blank.trim().is_empty()
    }

    /// Reads a line without blanks at its end, and names the column, from 0, of each queen that is on the board.
    pub(crate) fn read(&self, line: &[u8], mut queen: impl FnMut(u32)) -> Result<(), RowError> {
        let size = self.size as usize;
        let (mut at, mut cells) = (0, 0);
        while at < line.len() {
            if cells > 0 {
                if !line[at..].starts_with(self.separator.as_bytes()) {
                    return Err(RowError::Symbol {
                        cell: cells + 1,
                        at,
                    });
                }
                at += self.separator.len();
            }
            let Some(symbol) = self.symbol(|symbol| line[at..].starts_with(symbol)) else {
                return Err(RowError::Symbol {
                    cell: cells + 1,
                    at,
                });
            };
            if symbol == self.queen && cells < size {
                queen(cells as u32);
            }
            at += symbol.len();
            cells += 1;
        }
        if cells == size || (self.blank_is_white() && cells < size) {
            Ok(())
        } else {
            Err(RowError::Length(cells))
        }
    }

    /// Where a row starts that ends a line, for a prompt without a line feed.
    pub(crate) fn glued_row(&self, line: &[u8]) -> Option<usize> {
        let mut rest = line;
        for cell in 0..self.size {
            if cell > 0 {
                rest = rest.strip_suffix(self.separator.as_bytes())?;
            }
            let symbol = self.symbol(|symbol| rest.ends_with(symbol))?;
            rest = &rest[..rest.len() - symbol.len()];
        }
        // More symbols before it are no prompt, but a row that is too long.
        let too_long = self.symbol(|symbol| rest.ends_with(symbol)).is_some();
        (!rest.is_empty() && !too_long).then_some(rest.len())
    }

    /// The symbol that is there; the longer one, should one be the start of the other.
    fn symbol(&self, there: impl Fn(&[u8]) -> bool) -> Option<&str> {
        let symbols = if self.blank.len() > self.queen.len() {
            [self.blank, self.queen]
        } else {
            [self.queen, self.blank]
        };
        symbols
            .into_iter()
            .find(|symbol| !symbol.is_empty() && there(symbol.as_bytes()))
    }

    /// One row as the task asks for it.
    pub(crate) fn drawn(&self, queens: &[u32]) -> String {
        let cells: Vec<&str> = (0..self.size)
            .map(|column| {
                if queens.contains(&column) {
                    self.queen
                } else {
                    self.blank
                }
            })
            .collect();
        cells.join(self.separator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format<'_> = Format {
        size: 4,
        queen: "Q",
        blank: "#",
        separator: "",
    };

    fn row(format: &Format<'_>, line: &[u8]) -> Result<Vec<u32>, RowError> {
        let mut queens = Vec::new();
        format.read(line, |column| queens.push(column))?;
        Ok(queens)
    }

    #[test]
    fn rows_are_read_and_their_mistakes_located() {
        assert_eq!(row(&FORMAT, b"#Q#Q"), Ok(vec![1, 3]));
        assert_eq!(row(&FORMAT, b"#Q#"), Err(RowError::Length(3)));
        assert_eq!(
            row(&FORMAT, b"#Q.#"),
            Err(RowError::Symbol { cell: 3, at: 2 })
        );
        assert_eq!(FORMAT.glued_row(b"n: #Q##"), Some(3));
        assert_eq!(FORMAT.glued_row(b"#Q##"), None);
        assert_eq!(FORMAT.glued_row(b"##Q##"), None);
        assert_eq!(FORMAT.drawn(&[2]), "##Q#");
    }

    #[test]
    fn symbols_may_be_long_and_separated() {
        let format = Format {
            size: 2,
            queen: "♕",
            blank: "▢",
            separator: " ",
        };
        assert_eq!(row(&format, "▢ ♕".as_bytes()), Ok(vec![1]));
        assert_eq!(
            row(&format, "▢♕".as_bytes()),
            Err(RowError::Symbol { cell: 2, at: 3 })
        );
    }

    #[test]
    fn blanks_that_are_white_space_may_be_missing_at_the_end() {
        let format = Format {
            blank: " ",
            ..FORMAT
        };
        assert_eq!(row(&format, b" Q"), Ok(vec![1]));
        assert_eq!(row(&format, b"    Q"), Err(RowError::Length(5)));
    }
}

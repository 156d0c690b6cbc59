//! The rows of a board in the symbols that a task asks for.

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

    /// The first row of a board whose queen there is in this column, as the task asks for it.
    pub(crate) fn row(&self, queen: u32) -> String {
        let cells: Vec<&str> = (0..self.size)
            .map(|column| {
                if column == queen {
                    self.queen
                } else {
                    self.blank
                }
            })
            .collect();
        cells.join(self.separator)
    }
}

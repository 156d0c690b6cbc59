//! One cell of a board.

use std::fmt;

/// A cell, by row and column, both from 0. Cells are ordered as they are read: by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u32,
    /// The column, from 0 at the left.
    pub column: u32,
}

impl Cell {
    /// The cell in that row and column, both from 0.
    pub const fn new(row: u32, column: u32) -> Self {
        Self { row, column }
    }
}

/// A queen is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideBoard {
    /// Where the queen would be.
    pub cell: Cell,
    /// Number of rows and of columns of the board.
    pub size: u32,
}

impl fmt::Display for OutsideBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "row {}, column {} (from 0) is outside a board of size {}",
            self.cell.row, self.cell.column, self.size
        )
    }
}

impl std::error::Error for OutsideBoard {}

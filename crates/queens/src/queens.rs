//! What boards have in common.

use crate::{Attack, Cell, attack};

/// Queens on a square board.
pub trait Queens {
    /// Number of rows and of columns.
    fn size(&self) -> u32;

    /// The queens in reading order: by row, then by column. All lie on the board.
    fn cells(&self) -> impl Iterator<Item = Cell>;

    /// The queens of one row, from left to right; none in a row that is not on the board.
    fn row(&self, row: u32) -> impl Iterator<Item = Cell>;

    /// The first attack in reading order: of all attacking pairs the one whose later queen is read first,
    /// and of those the one whose earlier queen is read first. Linear in time and memory.
    fn first_attack(&self) -> Option<Attack> {
        attack::first_attack(self.size(), || self.cells())
    }

    /// The first row without a queen, from 0.
    fn first_empty_row(&self) -> Option<u32> {
        let mut next = 0;
        for cell in self.cells() {
            if cell.row > next {
                break;
            }
            next = cell.row + 1;
        }
        (next < self.size()).then_some(next)
    }

    /// Whether every row has exactly one queen and no two queens attack each other.
    fn is_legal(&self) -> bool {
        self.first_empty_row().is_none() && self.first_attack().is_none()
    }
}

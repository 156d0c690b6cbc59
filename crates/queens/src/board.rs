//! Any set of queens.

use crate::{Cell, OutsideBoard, Queens};

/// Any set of queens on a square board, as a program may have drawn it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: u32,
    queens: Vec<Cell>,
}

impl Board {
    /// A board of that size with these queens, in any order; a cell named twice holds one queen.
    ///
    /// # Errors
    ///
    /// When a queen is not on the board: the first such queen in reading order.
    pub fn new(size: u32, mut queens: Vec<Cell>) -> Result<Self, OutsideBoard> {
        queens.sort_unstable();
        queens.dedup();
        match queens.iter().find(|cell| cell.row.max(cell.column) >= size) {
            Some(cell) => Err(OutsideBoard { cell: *cell, size }),
            None => Ok(Self { size, queens }),
        }
    }
}

impl Queens for Board {
    fn size(&self) -> u32 {
        self.size
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.queens.iter().copied()
    }

    fn row(&self, row: u32) -> impl Iterator<Item = Cell> {
        let start = self.queens.partition_point(|cell| cell.row < row);
        self.queens[start..]
            .iter()
            .copied()
            .take_while(move |cell| cell.row == row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attack, AttackLine};

    #[test]
    fn two_queens_in_a_row_attack_each_other() {
        let board = Board::new(4, vec![Cell::new(2, 3), Cell::new(0, 2), Cell::new(2, 1)]).unwrap();
        assert_eq!(
            board.first_attack(),
            Some(Attack {
                earlier: Cell::new(2, 1),
                later: Cell::new(2, 3),
                line: AttackLine::Row
            })
        );
        assert_eq!(board.row(2).count(), 2);
        assert_eq!(board.row(1).count(), 0);
        assert_eq!(board.first_empty_row(), Some(1));
    }

    #[test]
    fn a_board_with_too_few_queens_is_not_legal() {
        let board = Board::new(4, vec![Cell::new(0, 1), Cell::new(1, 3), Cell::new(2, 0)]).unwrap();
        assert_eq!(board.first_attack(), None);
        assert_eq!(board.first_empty_row(), Some(3));
        assert!(!board.is_legal());
    }

    #[test]
    fn a_queen_outside_the_board_is_refused() {
        assert!(Board::new(4, vec![Cell::new(0, 4)]).is_err());
        assert!(Board::new(4, vec![Cell::new(4, 0)]).is_err());
    }
}

//! Boards with any set of queens.

use crate::attack::{Attack, Cell};

/// A square board with any set of queens, such as a program's output; up to 10⁷ queens are expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: u32,
    queens: Vec<Cell>,
}

impl Board {
    /// A board with these queens, in any order; a repeated cell counts once.
    ///
    /// # Errors
    ///
    /// The first queen, in reading order, that is not on the board.
    pub fn new(size: u32, mut queens: Vec<Cell>) -> Result<Self, Cell> {
        queens.sort_unstable();
        queens.dedup();
        match queens.iter().find(|cell| cell.row.max(cell.column) >= size) {
            Some(cell) => Err(*cell),
            None => Ok(Self { size, queens }),
        }
    }

    /// Number of rows and of columns.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Queens in reading order.
    pub fn queens(&self) -> &[Cell] {
        &self.queens
    }

    /// The first attack in reading order: the attacking pair with the earliest second queen, and then the earliest
    /// first queen. Linear in time and memory.
    pub fn first_attack(&self) -> Option<Attack> {
        let size = self.size as usize;
        let [mut columns, mut falling, mut rising] =
            [size, 2 * size, 2 * size].map(|bits| vec![0u64; bits.div_ceil(64)]);
        // Adds a number to a set; returns whether it was there already.
        let add = |set: &mut [u64], index: usize| {
            let bit = 1 << (index % 64);
            let was = set[index / 64] & bit != 0;
            set[index / 64] |= bit;
            was
        };
        let mut last_row = None;
        let later = self.queens.iter().position(|cell| {
            let (row, column) = (cell.row as usize, cell.column as usize);
            // The sets may be incomplete after the first attack, so the order does not matter.
            last_row.replace(row) == Some(row)
                || add(&mut columns, column)
                || add(&mut falling, size - 1 + column - row)
                || add(&mut rising, column + row)
        })?;
        let mut earlier = self.queens[..later].iter();
        earlier.find_map(|earlier| Attack::between(*earlier, self.queens[later]))
    }

    /// The first row without a queen, from 0.
    pub fn first_empty_row(&self) -> Option<u32> {
        let mut next = 0;
        for cell in &self.queens {
            if cell.row > next {
                break;
            }
            next = cell.row + 1;
        }
        (next < self.size).then_some(next)
    }

    /// Whether every row has exactly one queen and no two queens attack each other.
    pub fn is_legal(&self) -> bool {
        self.first_empty_row().is_none() && self.first_attack().is_none()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The first attack, by definition: all pairs, in order.
    fn first_attack_by_pairs(queens: &[Cell]) -> Option<Attack> {
        let mut pairs = (0..queens.len()).flat_map(|later| (0..later).map(move |it| (it, later)));
        pairs.find_map(|(earlier, later)| Attack::between(queens[earlier], queens[later]))
    }

    #[test]
    fn a_queen_outside_the_board_is_refused_and_a_missing_one_found() {
        let cell = |(row, column)| Cell { row, column };
        assert_eq!(
            Board::new(4, vec![cell((4, 0)), cell((0, 4))]),
            Err(cell((0, 4)))
        );
        let board = Board::new(4, [(2, 0), (0, 1), (1, 3)].map(cell).to_vec()).unwrap();
        assert_eq!(
            (board.first_attack(), board.first_empty_row()),
            (None, Some(3))
        );
        assert!(!board.is_legal() && Board::new(0, Vec::new()).unwrap().is_legal());
    }

    proptest! {
        #[test]
        fn the_first_attack_is_the_first_of_all_pairs(
            cells in prop::collection::vec((0u32..14, 0u32..14), 0..14)
        ) {
            let queens = cells.into_iter().map(|(row, column)| Cell { row, column });
            let board = Board::new(14, queens.collect()).unwrap();
            prop_assert_eq!(board.first_attack(), first_attack_by_pairs(board.queens()));
        }
    }
}

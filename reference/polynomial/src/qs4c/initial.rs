//! The initial search: queens are put where no other one attacks them.

use crate::diagonals::Diagonals;

/// How many rows are tried at once: the bits of one word.
const FRAME: usize = 64;

/// A board that is filled from the top, 64 rows at a time.
///
/// ```text
/// rows above the frame     filled, but for a few that were passed over
/// frame                    `open` has a bit for each of its rows without queen
/// rows below the frame     empty
/// ```
///
/// Invariant: the queens on the board do not attack each other; `diagonals` has theirs.
pub(super) struct InitialSearch {
    /// The column of each row's queen; rows that have none have 0.
    pub(super) columns: Vec<u32>,
    /// The diagonals of the queens on the board.
    pub(super) diagonals: Diagonals,
    /// Rows above the frame that have no queen.
    pub(super) passed_over: Vec<usize>,
    first: usize,
    open: u64,
}

impl InitialSearch {
    /// An empty board of `n` rows.
    pub(super) fn new(n: usize) -> Self {
        let mut board = Self {
            columns: vec![0; n],
            diagonals: Diagonals::new(n),
            passed_over: Vec::new(),
            first: 0,
            open: 0,
        };
        board.open_frame(0);
        board
    }

    /// Puts a queen in this column, which has none, on the first row of the frame where it is not
    /// attacked; `false` if there is no such row.
    ///
    /// ```text
    /// open         1 1 0 1 1 …     rows of the frame without queen
    /// occupied     1 0 0 0 1 …     rows in which a diagonal of this column is occupied
    /// free         0 1 0 1 0 …     the queen goes to the first of these
    /// ```
    #[inline]
    pub(super) fn place(&mut self, column: u32) -> bool {
        let free = self.open & !self.diagonals.occupied(self.first, column as usize);
        if free == 0 {
            return false;
        }
        let row = self.first + free.trailing_zeros() as usize;
        self.open ^= free & free.wrapping_neg();
        self.columns[row] = column;
        self.diagonals.put(row, column as usize);
        if self.open == 0 {
            self.open_frame(self.first + FRAME);
        }
        true
    }

    /// Leaves the open rows of the frame without queen, and goes on to the next 64 rows; `false` if
    /// there are none.
    pub(super) fn pass_over(&mut self) -> bool {
        for bit in 0..FRAME {
            if self.open >> bit & 1 == 1 {
                self.passed_over.push(self.first + bit);
            }
        }
        self.open_frame(self.first + FRAME);
        self.open != 0
    }

    /// Moves the frame to the rows from `first` on; below the board it has no open rows.
    fn open_frame(&mut self, first: usize) {
        self.first = first.min(self.columns.len());
        let rows = self.columns.len() - self.first;
        self.open = if rows < FRAME {
            (1 << rows) - 1
        } else {
            u64::MAX
        };
    }
}

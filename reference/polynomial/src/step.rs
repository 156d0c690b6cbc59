//! What a search does, for who wants to watch it.

/// What a search does, told to an observer as it happens. An observer that does nothing costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A column was drawn for the first empty row. It is kept if the queen attacks none above.
    Trial {
        /// The column, counted from 0.
        column: u32,
        /// Whether the queen stays.
        kept: bool,
    },
    /// All queens are on the board, and exchanges begin. A search that starts anew comes by here again.
    Filled {
        /// The column of each row, counted from 0.
        columns: &'a [u32],
        /// The collisions on this board.
        collisions: u32,
    },
    /// The queens of two rows were exchanged, for good.
    Swap {
        /// One row.
        a: usize,
        /// The other row.
        b: usize,
        /// By how much the number of collisions grew.
        growth: i32,
    },
}

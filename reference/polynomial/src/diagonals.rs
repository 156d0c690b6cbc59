//! Which diagonals are occupied, one bit for each.

/// Which diagonals of a board have a queen, for boards on which no two queens share one: then a bit
/// is enough where [`Board`](reference_local_search::board::Board) needs a counter.
///
/// A queen is on the falling diagonal (`\`) `row - column + n` and on the rising one (`/`) `row +
/// column`. Both numbers grow by one from each row to the next, so for a fixed column the bits of
/// consecutive rows are consecutive, and 64 rows are read as one word:
///
/// ```text
///              bit 0 is row 40, bit 1 is row 41, …
/// falling      0 1 0 0 0 1 0 …     the bits from 40 - column + n on
/// rising       0 0 0 1 0 1 0 …     the bits from 40 + column on
/// either       0 1 0 1 0 1 0 …     in rows 40, 42, 44, 46 a queen may stand in this column
/// ```
///
/// Invariant: a bit is set if and only if a queen stands on its diagonal.
#[derive(Clone, Debug)]
pub struct Diagonals {
    n: usize,
    falling: Vec<u64>,
    rising: Vec<u64>,
}

impl Diagonals {
    /// The diagonals of an empty board of `n` rows.
    pub fn new(n: usize) -> Self {
        // The last word is never set: reading 64 rows near the end reaches into it.
        let words = 2 * n / 64 + 2;
        Self {
            n,
            falling: vec![0; words],
            rising: vec![0; words],
        }
    }

    /// Bit `i` says whether a queen in row `first + i` and this column would share a diagonal with
    /// another one. Bits of rows beyond the board mean nothing.
    #[inline]
    pub fn occupied(&self, first: usize, column: usize) -> u64 {
        word_at(&self.falling, first + self.n - column) | word_at(&self.rising, first + column)
    }

    /// Whether a queen in this row and column would be the first on both of its diagonals.
    pub fn is_free(&self, row: usize, column: usize) -> bool {
        self.occupied(row, column) & 1 == 0
    }

    /// Notes a queen on diagonals that are free.
    #[inline]
    pub fn put(&mut self, row: usize, column: usize) {
        flip(&mut self.falling, row + self.n - column);
        flip(&mut self.rising, row + column);
    }

    /// Frees the diagonals of a queen that was [`put`](Self::put).
    pub fn take(&mut self, row: usize, column: usize) {
        self.put(row, column);
    }
}

/// The 64 bits from bit `index` on.
#[inline]
fn word_at(bits: &[u64], index: usize) -> u64 {
    let (word, shift) = (index / 64, index % 64);
    let low = bits[word];
    let high = bits[word + 1];
    // Two shifts, because a shift by 64 is not defined.
    (low >> shift) | (high << 1 << (63 - shift))
}

#[inline]
fn flip(bits: &mut [u64], index: usize) {
    bits[index / 64] ^= 1 << (index % 64);
}

//! A set of small numbers, one bit each.

pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Room for the numbers below `length`.
    pub(crate) fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    /// Adds a number, and says whether it was there already.
    pub(crate) fn set(&mut self, index: usize) -> bool {
        let word = &mut self.0[index / 64];
        let bit = 1 << (index % 64);
        let was = *word & bit != 0;
        *word |= bit;
        was
    }
}

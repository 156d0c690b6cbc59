//! A permutation that looks random and is computed number by number, without an array.

use reference_local_search::random::Random;

/// A permutation of the numbers from 0 to `2^bits - 1`, another one for each key: a Feistel
/// network.
///
/// A number is cut into two halves. In each round one half is combined by exclusive or with bits
/// that depend on the other half and on a random key:
///
/// ```text
///  left   right
///   │       ├──► scramble ──┐
///   ⊕ ◄─────┼───────────────┘
///   ├───────┼──► scramble ──┐
///   │       ⊕ ◄─────────────┘        and once more with two other keys
/// ```
///
/// Invariant: a round can be undone by doing it again, because the half it depends on is not
/// changed. So different numbers stay different, however bad the scrambling is. The quality of the
/// randomness is enough to spread queens, and not meant for secrets.
///
/// Source: M. Luby and C. Rackoff, *How to Construct Pseudorandom Permutations from Pseudorandom
/// Functions*, SIAM Journal on Computing 17(2), 1988, who show that four rounds suffice if the
/// scrambling is good.
#[derive(Clone, Debug)]
pub(super) struct Feistel {
    right_bits: u32,
    left_mask: u32,
    right_mask: u32,
    keys: [u64; 4],
}

impl Feistel {
    /// The permutation of `2^bits` numbers, `bits` from 0 to 31, with keys that are drawn now.
    pub(super) fn new(bits: u32, random: &mut Random) -> Self {
        let right_bits = bits / 2;
        Self {
            right_bits,
            left_mask: (1 << (bits - right_bits)) - 1,
            right_mask: (1 << right_bits) - 1,
            keys: [(); 4].map(|()| random.draw()),
        }
    }

    /// The number in place `index`.
    #[inline]
    pub(super) fn number(&self, index: u32) -> u32 {
        let mut left = index >> self.right_bits;
        let mut right = index & self.right_mask;
        left ^= scramble(right, self.keys[0]) & self.left_mask;
        right ^= scramble(left, self.keys[1]) & self.right_mask;
        left ^= scramble(right, self.keys[2]) & self.left_mask;
        right ^= scramble(left, self.keys[3]) & self.right_mask;
        (left << self.right_bits) | right
    }
}

/// Bits that depend on all bits of `half`: the middle of a product with an odd random number.
#[inline]
fn scramble(half: u32, key: u64) -> u32 {
    ((u64::from(half) ^ (key >> 32)).wrapping_mul(key | 1) >> 32) as u32
}

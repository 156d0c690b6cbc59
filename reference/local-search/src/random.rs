//! Random numbers that are the same on every platform.

/// The generator `SplitMix64`: a counter that goes round all 64-bit numbers in steps of an odd
/// constant, and a mixing function that makes its bits look random. The same seed gives the same
/// numbers on every platform, which no generator of an operating system or a library promises.
///
/// Source: G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number Generators*,
/// OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// The generator with numbers that follow from `seed`; all seeds are equally good.
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// Draws the next number, from 0 to 2^64 - 1.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound - 1`; `bound` must not be 0.
    ///
    /// The next number, read as a fraction of 2^64, is multiplied by `bound`. No value is more
    /// likely than another by more than `1 / 2^64`, and it needs no division, unlike the remainder.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }

    /// A random permutation of the numbers from 0 to `n - 1`.
    ///
    /// Invariant: before step `i`, the places after `i` hold a random choice of the numbers, in
    /// random order, and each such choice is equally likely.
    ///
    /// Source: R. Durstenfeld, *Algorithm 235: Random Permutation*, CACM 7(7), 1964.
    pub fn permutation(&mut self, n: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..n).collect();
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, self.below(i + 1));
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // The first outputs of splitmix64.c by S. Vigna for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let numbers = [random.draw(), random.draw(), random.draw()];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_permutation_has_each_number_once() {
        let mut numbers = Random::new(5).permutation(1000);
        assert!(!numbers.is_sorted());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..1000).collect::<Vec<u32>>());
    }
}

//! The code at a given place of the sequence.

/// The code at place `index` of the reflected Gray code, counted from 0.
///
/// The sequence of n + 1 digits is the sequence of n digits with a 0 in front, followed by the same
/// sequence backwards ("reflected") with a 1 in front. This formula gives the same: a digit of the
/// code tells whether a binary digit of `index` differs from the one to its left. Counting up by
/// one turns the lowest digits of `index` from `01…1` into `10…0`, where only the leftmost of
/// these changes its relation to its left neighbour.
///
/// Invariant: for every `index`, the codes of `index` and `index + 1` differ in exactly one bit.
///
/// Source: F. Gray, *Pulse Code Communication*, US patent 2 632 058, 1953; the formula is in D. E.
/// Knuth, *The Art of Computer Programming*, volume 4A, section 7.2.1.1.
pub fn gray(index: u32) -> u32 {
    index ^ (index >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequence as its name says: the one of fewer digits, then its reflection.
    fn reflected(digits: u32) -> Vec<u32> {
        let mut codes = vec![0];
        for digit in 0..digits {
            let reflection: Vec<u32> = codes.iter().rev().map(|code| code | 1 << digit).collect();
            codes.extend(reflection);
        }
        codes
    }

    #[test]
    fn the_formula_gives_the_reflected_sequence() {
        let codes: Vec<u32> = (0..1 << 12).map(gray).collect();
        assert_eq!(codes, reflected(12));
    }
}

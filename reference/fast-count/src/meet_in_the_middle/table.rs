//! How many patterns of a list have no line in common with those of another list.

use std::ops::Range;

use super::group::{GROUP, Group, Row, ones};
use super::kernel;
use super::sorted::Sorted;
use crate::simd::Simd;

/// A list of patterns, turned by 90 degrees: for each line one bit of each pattern.
///
/// ```text
///             pattern 0 1 2 3 … 1023
///  line 0             1 1 0 1 …        1: the pattern does not use the line
///  line 1             0 1 1 1 …
///  line 2             1 1 1 0 …
/// ```
///
/// A *query* is a pattern of the other half. The patterns that have no line in common with one that
/// uses the lines 0 and 2 are those with a 1 in row 0 AND row 2: one AND of two rows decides it for
/// all patterns. And the ANDs can be shared: the lines are cut into *chunks*, and for each chunk the
/// AND is kept for each set of its lines. So a query takes one row from each chunk, whatever lines
/// it uses:
///
/// ```text
///  set of lines of the chunk 0 to 5          pattern 0 1 2 3 … 1023
///    000000  none                                    1 1 1 1 …
///    000001  0                                       1 1 0 1 …
///    000010  1                                       0 1 1 1 …
///    000011  0, 1       = row 000001 AND row 000010  0 1 0 1 …
///    …
///    000101  0, 2       = row 000001 AND row 000100  1 1 0 0 …
///    …       64 rows in all
///
///  the query  key | 00001 | 00000 | 000000 | 110000 | 000101
///                    row 1   row 0   row 0    row 48   row 5  … of its chunk; AND of the five
/// ```
///
/// Five chunks hold the lines 0 to 27. Lines above them, the *key* of a pattern
/// ([`sorted`](super::sorted)), are not in the chunks. All queries with the same key begin with the
/// same row, the patterns that use no line of the key; and as patterns are sorted by their keys too,
/// it is often empty in a group, so that all these queries are done with at once.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The first `used` hold the patterns; those behind them are left over from before.
    groups: Vec<Group>,
    used: usize,
}

impl Table {
    /// Holds `patterns` from now on, as the other half of the board sees them: the bits of
    /// neighbouring lines exchanged.
    pub(super) fn fill(&mut self, simd: Simd, patterns: &Sorted) {
        self.used = patterns.len().div_ceil(GROUP);
        if self.groups.len() < self.used {
            self.groups.resize(self.used, Group::default());
        }
        for (group, lines) in self.groups.iter_mut().zip(patterns.lines().chunks(GROUP)) {
            group.key = [Row::default(); 32];
            group.all = Row::of(&(0..lines.len()));
            kernel::fill(simd, group, lines);
        }
        // Keys that do not use line 0 are 0, 2, 4, …; line 1: 0–1, 4–5, 8–9, …; line 2: 0–3, 8–11, ….
        for line in 0..patterns.key_lines() {
            for keys in (0..patterns.all_keys()).step_by(2 << line) {
                self.add_without(line ^ 1, patterns.of_keys(keys..keys + (1 << line)));
            }
        }
    }

    /// Notes that these patterns do not use a line of the key.
    fn add_without(&mut self, line: usize, patterns: Range<usize>) {
        for word in patterns.start / 64..patterns.end.div_ceil(64) {
            let row = &mut self.groups[64 * word / GROUP].key[line].0;
            let word_of_row = word % (GROUP / 64);
            row[word_of_row / 4][word_of_row % 4] |= ones(&patterns, word);
        }
    }

    /// The number of pairs of a pattern of the table and a query without a common line.
    pub(super) fn pairs(&self, simd: Simd, queries: &Sorted) -> u64 {
        kernel::pairs(simd, &self.groups[..self.used], queries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines as the other half sees them.
    fn mirrored(lines: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        lines >> 1 & EVEN | (lines & EVEN) << 1
    }

    /// `count` numbers of `bits` bits, few of them ones, the same in each run.
    fn patterns(count: usize, bits: u32, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut draw = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 29
        };
        (0..count)
            .map(|_| (draw() & draw()) >> (64 - bits))
            .collect()
    }

    #[test]
    fn pairs_without_a_common_line_are_counted_with_all_vectors() {
        let mut table = Table::default();
        for (stored, asked, bits) in [
            (0, 5, 10),
            (1, 1, 2),
            (5, 0, 4),
            (7, 40, 12),
            (64, 17, 28),
            (255, 3, 26),
            (256, 16, 28),
            (257, 33, 28),
            (512, 100, 28),
            (513, 31, 28),
            (1500, 200, 32),
            (1100, 300, 36),
            (2000, 50, 40),
        ] {
            let (ours, theirs) = (patterns(stored, bits, 1), patterns(asked, bits, 2));
            let pairs = ours
                .iter()
                .flat_map(|&a| theirs.iter().map(move |&b| a & mirrored(b)))
                .filter(|&common| common == 0)
                .count() as u64;
            let key_lines = bits.saturating_sub(super::super::sorted::LINES);
            let [mut sorted, mut queries] = [Sorted::default(), Sorted::default()];
            sorted.sort(&ours, key_lines);
            queries.sort(&theirs, key_lines);
            for simd in Simd::all() {
                table.fill(simd, &sorted);
                let found = table.pairs(simd, &queries);
                assert_eq!(
                    found,
                    pairs,
                    "{stored}, {asked}, {bits} bits, {}",
                    simd.name()
                );
            }
        }
    }
}
